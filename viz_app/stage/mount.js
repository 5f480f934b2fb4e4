// The stage: one component that holds everything live. It knows a recipe, payloads and a transport;
// nothing about who hosts it.

import { gridOn } from "./draw/grid.js";
import { html, render } from "./page/html.js";
import { choicesHere, remembered } from "./keep/remembered.js";
import { useFaces } from "./page/faces.js";
import { firstLanguage, readerOf } from "./page/words.js";
import { makeRoot, Stage } from "./shell.js";

/**
 * Fills an empty element with the stage.
 * @param {HTMLElement & {stage?: any}} element an empty <div>
 * @param {PageOptions} options made by viz_app/menu/catalogue.py
 * @param {?Transport} transport takes a request (KINDS in viz_app/server/answers/requests.py)
 *     and gives its answer or {error: {code, values, message}}; null in an exported page
 * @param {StageParts} parts
 * @returns {{destroy: function(): void, language: function(): string, shown?: function(): ?import("./keep/shown.js").Shown,
 *     mapOn?: typeof gridOn}} `shown`: what is on the screen, null while nothing is; `mapOn`: what a canvas shows
 */
export function mountStage(element, options, transport, parts) {
  element.stage?.destroy();
  if (parts.faces) useFaces(parts.faces);
  const languages = options.apart?.languages ?? Object.keys(options.words);
  const t = readerOf(options.words, firstLanguageOf(options, languages), languages);
  if (options.models.length === 0) return mountNothing(element, t);
  const stage = new Stage(element, t, options, transport && learning(options, transport), parts);
  stage.begin();
  element.stage = { destroy: () => stage.destroy(), language: () => t.language,
    isAnswered: () => stage.isAnswered(), shown: () => stage.shown(), mapOn: gridOn,
    picture: (/** @type {string} */ name, /** @type {any} */ look) => stage.picture(name, look) };
  return element.stage;
}

/**
 * The one of these languages that the reader sees first.
 * @param {Pick<PageOptions, "choices">} options
 * @param {string[]} languages
 */
export function firstLanguageOf({ choices }, languages) {
  for (const [name, value] of Object.entries(choices ?? {})) choicesHere.set(name, value);
  return firstLanguage(languages, remembered("language"));
}

/**
 * The same transport; what an answer says of a model that was closed is known from then on.
 * @param {PageOptions} options
 * @param {Transport} transport
 * @returns {Transport}
 */
const learning = (options, transport) => async (request, signal, more) => {
  const answer = await transport(request, signal, more);
  const { entry } = answer ?? {};
  const closed = entry && options.models.find(({ name, closed: is }) => is && name === entry.name);
  if (closed) Object.assign(closed, entry, { closed: false });
  return answer;
};

/**
 * A stage without any model says so and does nothing.
 * @param {HTMLElement & {stage?: any}} element
 * @param {Words} t
 */
function mountNothing(element, t) {
  const root = makeRoot(element, t);
  render(html`<p class="nothing" role="alert">${t("error_no_models")}</p>`, root);
  element.replaceChildren(root);
  const stage = {
    language: () => t.language,
    destroy() {
      root.remove();
      delete element.stage;
    },
  };
  element.stage = stage;
  return stage;
}
