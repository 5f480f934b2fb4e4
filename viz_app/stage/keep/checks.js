// A line of boxes to tick in the dialog that keeps what is on the screen.

import { make } from "../page/elements.js";

/**
 * @param {string} title
 * @param {function} changed
 * @returns {{element: HTMLElement, offer: function, values: function}} `offer` what can be ticked,
 *     [{value, text}]; what was offered before keeps its ticks, all else begins ticked
 */
export function makeChecks(title, changed) {
  const element = make("fieldset", { class: "export-checks" }, [make("legend", { text: title })]);
  let boxes = [];
  return {
    element,
    offer(choices) {
      if (choices.length === boxes.length) return;
      boxes = choices.map(({ value }) => ({ value, node: make("input", { type: "checkbox", value,
        checked: true, on: { change: changed } }) }));
      element.replaceChildren(element.firstChild, ...boxes.map(({ node }, i) =>
        make("label", {}, [node, make("span", { text: choices[i].text })])));
    },
    values: () => boxes.filter(({ node }) => node.checked).map(({ value }) => value),
  };
}
