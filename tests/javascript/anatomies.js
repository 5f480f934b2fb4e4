// Anatomies of each kind of model, for tests of scripts that need no page.

const SIDES = { encoder: ["source", "source", false], decoder: ["target", "target", true],
  cross: ["target", "source", false] };
const KINDS = { "encoder-decoder": ["encoder", "decoder", "cross"], decoder: ["decoder"],
  encoder: ["encoder"] };

/** The anatomy of a kind, every site with so many layers and heads. */
export function anatomyOf(kind = "encoder-decoder", layers = 1, heads = 1) {
  const sites = KINDS[kind].map((site) => {
    const [rows, columns, causal] = SIDES[site];
    return { site, layers, heads, key_heads: heads, rows, columns, causal };
  });
  return { kind, sites, special: { pad: 0, start: 1, end: 2 }, never: [0, 1], max_positions: 64,
    predicts: true };
}
