// Words that a text marks are terms: each of them, and a button whose data-about says what it is for, is
// explained in the box of glossary.js, which comes when it is first asked for.

import { claim, nearest } from "./elements.js";
import { html, nothing } from "./html.js";
import { filled, TERM_MARK } from "./words.js";

/**
 * A text with its marked words, each of them a term of viz_app/text that any part may place anywhere
 * inside the stage.
 * @param {Words} t
 * @param {string} key
 * @param {Record<string, any>} [values]
 */
export function termed(t, key, values = {}) {
  const parts = t.raw(key).split(TERM_MARK); // a text, a term and its word, a text, and so on
  return parts.map((part, i) => (i % 3 === 0 ? filled(part, values) : i % 3 === 2 ? nothing : html`
    <span class="term" role="button" tabindex="0" aria-expanded="false" data-term=${part}>${parts[i + 1]}</span>`));
}

/**
 * Until the glossary is there: what happens at a term asks for it, and is handed on then.
 * @param {HTMLElement} root
 * @param {function(): Promise<?{meet: function(Event): void}>} arrives
 * @param {AbortSignal} signal
 */
export function awaitGlossary(root, arrives, signal) {
  const came = new AbortController();
  /** @param {Event} event */
  const meet = async (event) => {
    if (!nearest(event, ".term, [data-about]")) return;
    const isPress = event.type === "click"
      || ["Enter", " "].includes(/** @type {KeyboardEvent} */ (event).key);
    if (event.type === "keydown" && !isPress) return;
    if (isPress && nearest(event, ".term")) claim(event); // inside a label it is only explained
    const glossary = await arrives();
    if (glossary === null || signal.aborted) return;
    came.abort();
    glossary.meet(event);
  };
  for (const type of ["pointerover", "focusin", "click", "keydown"]) {
    root.addEventListener(type, meet, { capture: true, signal: came.signal });
  }
}
