// The two sentences as tokens. Source tokens are text; target tokens are buttons that move the
// cursor. Both take the colour of what the shown head reads from them.

import { PENDING_MARK } from "../draw/labels.js";
import { shortProbability } from "../draw/numbers.js";
import { rowOfWeights } from "../run/run.js";
import { make, makeButton, nearest, setTrait } from "./elements.js";

const LEAST_TINT = 0.02; // weights below leave a token as it is

/** The key a pointed token stands for in the shown map, or nulls when it has no place there. */
export function placeOfToken(state, side, index) {
  const { site, run } = state;
  if (side === "source") {
    return site === "encoder" ? { query: index, key: null }
      : site === "cross" ? { query: null, key: index } : { query: null, key: null };
  }
  const query = index - 1; // the step that writes it
  const drawn = site !== "encoder" && query >= 0 && query <= state.at && query < run.steps.length;
  return { query: drawn ? query : null, key: null };
}

/** The row whose weights tint the strips: the pointed one, else the current step. */
function tintedQuery(state) {
  const { pointed, site, at } = state;
  if (pointed.query !== null) return pointed.query;
  return site === "encoder" || pointed.key !== null ? null : at;
}

/** A token of the strip; those of the target move the cursor. */
function makeToken(side, t, { state, actions }, label, index) {
  const chosen = side === "target" && index > 0 ? state.run.chosen[index - 1] : null;
  const title = [label.label];
  if (label.piece !== label.label) title.push(t("title_piece", { piece: label.piece }));
  if (chosen) {
    title.push(t(`title_${chosen.how}`,
      { probability: shortProbability(Math.exp(chosen.log_probability)) }));
  }
  const traits = { class: "token", dir: "auto", title: title.join("\n"),
    data: { index, side, kind: label.kind, ...(chosen ? { how: chosen.how } : {}) } };
  const text = make("span", { class: chosen ? `how-${chosen.how}` : null, text: label.label });
  if (side === "source") return make("span", { ...traits, role: "listitem" }, [text]);
  return makeButton(traits, () => actions.moveTo(index), [text]);
}

export function makeStrip(side, t, { state, actions }, aside) {
  const list = make("div", { class: "tokens", role: "list", "aria-label": t(`strip_${side}`) });
  const element = make("div", { class: `strip strip-${side}`, data: { side } }, [
    make("span", { class: "gutter", text: t(`strip_${side}`), "aria-hidden": "true" }),
    list,
    aside,
  ]);
  let built = null; // what the nodes were built from
  let nodes = [];
  let current = null;

  function point(event) {
    const node = nearest(event, ".token");
    if (!node || !state.run || node.dataset.index === undefined) return;
    const { query, key } = placeOfToken(state, side, Number(node.dataset.index));
    actions.point(query, key);
  }
  list.addEventListener("pointerover", point);
  list.addEventListener("pointerleave", () => actions.point(null, null));

  function build(labels) {
    nodes = labels.map((label, index) => makeToken(side, t, { state, actions }, label, index));
    const shown = side === "source" ? nodes
      : nodes.map((node) => make("span", { role: "listitem", class: "item" }, [node]));
    list.replaceChildren(...shown);
    if (side === "target" && state.run.finished === null) {
      list.append(make("span", { class: "token pending", role: "listitem", text: PENDING_MARK,
        title: t("title_pending"), "aria-label": t("title_pending") }));
    }
    [built, current] = [labels, null];
  }

  function keepInView(node) {
    if (!node || node === current) return;
    current = node;
    const top = node.offsetTop; // the list is the offset parent
    if (top < list.scrollTop) list.scrollTop = top - 2;
    else if (top + node.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + node.offsetHeight - list.clientHeight + 2;
    }
  }

  return {
    element,
    /** `labels`: of this side; `shown`: {layer, head} in the large map. */
    update(labels, shown, palette) {
      const { run, at, site, pointed } = state;
      if (!run) return;
      if (built !== labels) build(labels);
      const keysHere = (site === "decoder") === (side === "target");
      const query = keysHere ? tintedQuery(state) : null;
      const row = query === null ? null
        : rowOfWeights(run, site, shown.layer, shown.head, query);
      nodes.forEach((node, index) => {
        const weight = row && index < row.length ? row[index] : 0;
        const tinted = weight >= LEAST_TINT;
        node.style.backgroundColor = tinted ? palette.of(weight) : "";
        node.style.color = tinted ? palette.on(weight) : "";
        const place = side === "source" ? (site === "encoder" ? pointed.query : pointed.key)
          : pointed.query === null ? null : pointed.query + 1;
        const isKey = pointed.key === index && keysHere;
        node.classList.toggle("pointed", (place !== null && place === index
          && (side === "source" ? site !== "decoder" : site !== "encoder")) || isKey);
        if (side === "target") {
          node.classList.toggle("later", index > at + 1);
          node.classList.toggle("next", index === at + 1);
          node.classList.toggle("here", index === at);
          setTrait(node, "aria-current", index === at ? "step" : null);
        }
      });
      if (side === "target") {
        list.lastElementChild.classList.toggle("later",
          run.finished === null && at < run.steps.length - 1);
        keepInView(nodes[Math.min(at + 1, nodes.length - 1)]);
      }
    },
  };
}
