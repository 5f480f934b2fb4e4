// A line of boxes to tick in the dialog that keeps what is on the screen.

import { make } from "../page/elements.js";

/** @param {string} title @param {function(): void} changed */
export function makeChecks(title, changed) {
  const element = make("fieldset", { class: "export-checks" }, [make("legend", { text: title })]);
  /** @type {{value: any, node: HTMLInputElement}[]} */
  let boxes = [];
  return {
    element,
    /**
     * Offers boxes; those of before keep their ticks, all else begins ticked.
     * @param {{value: any, text: string}[]} choices
     */
    offer(choices) {
      if (choices.length === boxes.length) return;
      boxes = choices.map(({ value }) => ({ value, node: make("input", { type: "checkbox", value,
        checked: true, on: { change: changed } }) }));
      element.replaceChildren(/** @type {Node} */ (element.firstChild), ...boxes.map(({ node }, i) =>
        make("label", {}, [node, make("span", { text: choices[i].text })])));
    },
    values: () => boxes.filter(({ node }) => node.checked).map(({ value }) => value),
  };
}
