// The two faces that the page is set in. They come with it, so that it looks the same everywhere.

/** Signs that one family has and the other lacks, or draws like another sign: the minus of the mono is a hyphen to the eye. @type {Record<string, string>} */
const ONLY_IN = {
  Inter: "U+1D62, U+2011, U+2016, U+2091, U+2095-2096, U+2099, U+209C, U+21B3, U+21D2, U+2205, U+2212, U+2423, U+25CB, U+2713, U+2C7C",
  "JetBrains Mono": "U+2208, U+2227-2228, U+2261, U+2581, U+25B8, U+25BE",
};

/** Those in use. @type {ShippedFace[]} */
let used = [];

/**
 * Sets the page in these faces; each family lends the other what it lacks.
 * @param {ShippedFace[]} faces
 * @returns {Promise<unknown>} that they are there
 */
export function useFaces(faces) {
  if (used.length > 0) return Promise.resolve();
  used = faces;
  const own = faces.map(({ family, weight, file }) =>
    new window.FontFace(family, /** @type {ArrayBuffer} */ (file.buffer), { weight: String(weight) }));
  const lent = faces.map(({ family, weight, file }) => {
    const [other] = Object.keys(ONLY_IN).filter((one) => one !== family);
    return new window.FontFace(other, /** @type {ArrayBuffer} */ (file.buffer),
      { weight: String(weight), unicodeRange: ONLY_IN[family] });
  });
  const added = [...own, ...lent]; // of two that have a sign, browsers take the one added last
  for (const face of added) document.fonts.add(face);
  return Promise.all(added.map(({ loaded }) => loaded));
}

/** The faces in use that a picture is set in. @param {string} svg */
export const facesIn = (svg) => used.filter(({ family, weight }) => svg.includes(family)
  && (weight === 400 || /font-weight=.(?:[67]|bold)/.test(svg)));
