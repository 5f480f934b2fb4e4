// What a page of a site without a server leads to: its other pages, and the running app.

import { html, nothing } from "./html.js";

/**
 * The address of a page of the site, in this language.
 * @param {SitePages} site
 * @param {string} page below its root
 * @param {string} language
 */
export const pageIn = ({ root }, page, language) =>
  `${root}${page.split("/").map(encodeURIComponent).join("/")}#${language}`;

/**
 * The address of the page of a model that shows a sentence, else of its first; in this language.
 * @param {SitePages} site
 * @param {Model} model
 * @param {string} sentence
 * @param {string} language
 */
export function addressIn(site, model, sentence, language) {
  const at = Math.max(0, model.examples.indexOf(sentence));
  return pageIn(site, site.pages[model.name][at], language);
}

/**
 * Whether another page shows what is chosen, at once; else it is computed here.
 * @param {State} state
 * @param {string} name of the model
 */
export const isElsewhere = ({ options: { site } }, name) =>
  Boolean(site?.pages[name]) && !(site?.worker?.isReady() && site.computed.includes(name));

/**
 * The same of a model that is chosen for the sentence at hand; no other page has what the reader typed, but there
 * are models that only their own pages show.
 * @param {State} state
 * @param {string} name
 */
export const isModelElsewhere = (state, name) => isElsewhere(state, name)
  && (!state.options.site?.computed.includes(name)
    || (!state.busy && state.draft.trim() === state.options.payload?.recipe.source));

/**
 * Goes to another page of the site.
 * @param {State} state
 * @param {Words} t
 * @param {string} name of the model
 * @param {string} [sentence] that of this page
 */
export function leaveFor({ options, run }, t, name, sentence = run?.recipe.source ?? "") {
  const model = options.models.find((one) => one.name === name);
  if (options.site && model) window.location.href = addressIn(options.site, model, sentence, t.language);
}

/**
 * The links beside the sentence: to all others, and to the running app.
 * @param {Words} t
 * @param {?SitePages} [site]
 */
export function siteLinks(t, site = null) {
  if (!site) return nothing;
  const index = t.language === "en" ? "index.html" : `index.${t.language}.html`;
  return html`
    <a class="site-link" href="${site.root}${index}#${t.language}" title=${t("site_all_hint")} data-act="all">${t("site_all")}</a>
    ${site.live ? html`<a class="site-link" href=${site.link} rel="noreferrer" title=${t("site_live_hint", { live: site.live })}
      data-act="live">${t("site_live")}</a>` : nothing}`;
}
