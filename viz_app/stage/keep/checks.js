// A line of boxes to tick in the dialog that keeps what is on the screen.

import { make } from "../page/elements.js";

/** @param {string} title @param {function(): void} changed */
export function makeChecks(title, changed) {
  const line = make("div");
  const element = make("fieldset", { class: "export-checks" }, [make("legend", { text: title }), line]);
  /** @type {{value: any, node: HTMLInputElement}[]} */
  let boxes = [];
  return {
    element,
    /**
     * Offers boxes; that of `only` is ticked, or all where none is meant.
     * @param {{value: any, text: string}[]} choices
     * @param {any} [only]
     */
    offer(choices, only) {
      boxes = choices.map(({ value }) => ({ value, node: make("input", { type: "checkbox", value,
        checked: only === undefined || value === only, on: { change: changed } }) }));
      line.replaceChildren(...boxes.map(({ node }, i) =>
        make("label", {}, [node, make("span", { text: choices[i].text })])));
    },
    values: () => boxes.filter(({ node }) => node.checked).map(({ value }) => value),
  };
}
