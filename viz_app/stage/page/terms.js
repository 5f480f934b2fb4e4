// Words that a text marks are terms: each of them, and a button whose data-about says what it is for, is
// explained in the box of glossary.js, which comes when it is first asked for. Those of one text are one stop of the
// Tab key; arrow keys lead from one to the next.

import { claim, nearest, turnOf } from "./elements.js";
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
    <span class="term" role="button" tabindex=${i === 1 ? 0 : -1} aria-expanded="false" data-term=${part}>${parts[i + 1]}</span>`));
}

/** Arrow keys among the terms of one text. @param {KeyboardEvent} event */
function turnAmong(event) {
  const [term, by] = [nearest(event, ".term"), turnOf(event)];
  const terms = /** @type {HTMLElement[]} */ ([...term?.parentElement?.children ?? []].filter((one) => one.matches(".term")));
  if (!term || !by || terms.length < 2) return;
  claim(event); // elsewhere they step
  const next = terms[terms.indexOf(term) + by];
  if (!next) return;
  for (const one of terms) one.tabIndex = one === next ? 0 : -1;
  next.focus();
}

/**
 * Until the glossary is there: what happens at a term asks for it, and is handed on then.
 * @param {HTMLElement} root
 * @param {function(): Promise<?{meet: function(Event): void}>} arrives
 * @param {AbortSignal} signal
 */
export function awaitGlossary(root, arrives, signal) {
  root.addEventListener("keydown", turnAmong, { signal });
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
  for (const type of ["pointermove", "focusin", "click", "keydown"]) {
    root.addEventListener(type, meet, { capture: true, signal: came.signal });
  }
}
