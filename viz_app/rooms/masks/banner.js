// What the room Masks found, as the first thing that is read: one sentence, with the token to press
// that it hurts most; under it the other facts, and what to try.

import { press } from "../../stage/page/elements.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { termed } from "../../stage/page/terms.js";

const MASKS_FEW = 3; // facts that fit beside each other in full sentences
const HERE = "\0"; // where a token stands in a sentence

/**
 * @typedef {import("./facts.js").Fact} Fact
 * @typedef {import("./facts.js").Hurt} Hurt
 * @typedef {{see: ?string, edit: ?string, why?: string}} Tries the key of the words that say what to look at, and the
 *     edit that breaks it
 */

/**
 * @param {Words} t
 * @param {{showHead: function(number, number): void, showSite: function(Site, number): void,
 *   showWhere: function(number): void, tryBreak: function(string): void}} acts
 */
export function makeBanner(t, { showHead, showSite, showWhere, tryBreak }) {
  /** What the token that is hurt most leads to. @param {Hurt} hurt */
  function sentence({ key, values, label, kind, at }) {
    const [before, after] = t(key, { ...values, token: HERE }).split(HERE);
    return html`${t("sentences_between")}${before}
      <button type="button" class="kind masks-hurt" dir="auto" title=${t("masks_hurt_hint")} data-act="masks-where"
        data-kind=${kind ?? nothing} @click=${press(() => showWhere(at))}>${label}</button>${after}`;
  }

  /** @param {Fact} one */
  const links = ({ head, where }) => html`${head && html`${" "}
    <button type="button" class="as-link" title=${t("masks_check_most_hint")}
      @click=${press(() => showHead(head.layer, head.head))}>${head.text}</button>`}${where && html`${" "}
    <button type="button" class="as-link" data-act="masks-elsewhere" data-asks="" data-elsewhere=${where.site}
      data-elsewhere-shown=${where.shown} @click=${press(() => showSite(where.site, where.shown))}>${where.text}</button>`}`;

  /** @param {Fact} one @param {boolean} isBrief */
  function fact(one, isBrief) {
    const { lead, more, kind, head, brief = { lead, more } } = one;
    const said = isBrief ? brief : { lead, more };
    return html`
      <li class=${kind} title=${isBrief ? [lead, `${more}${head?.text ?? ""}`].filter(Boolean).join(": ") : nothing}>
        <strong>${said.lead}</strong>${said.more && " "}<span>${said.more}</span>${links(one)}</li>`;
  }

  /** What else is to be said of the fact that is the answer. @param {Fact} one */
  const rest = (one) => (one.more || one.head || one.where
    ? html`<li><span>${one.more}</span>${links(one)}</li>` : nothing);

  /** What to look at, and to try. @param {Tries} tries */
  const seen = ({ see, edit }) => see && html`<span>${termed(t, see)}</span>${edit && html`${t("sentences_between")}
    <button type="button" class="as-link" data-act="masks-try" data-asks="" data-edit=${edit}
      @click=${press(() => tryBreak(edit))}>${t(`masks_try_${edit.split(":")[0]}`)}</button>`}`;

  const { element, update } = makePart((/** @type {Fact[]} */ facts = [], /** @type {Tries} */ tries = { see: null, edit: null },
    /** @type {?Hurt} */ hurt = null, isSmall = false) => {
    const [first, ...others] = facts;
    const isBrief = isSmall || facts.length > MASKS_FEW; // two breaks at once have more to say than fits in full
    return html`
      <section class="masks-banner" aria-label=${t("masks_check")} aria-live="polite">
        <p class="masks-answer ${first?.kind}">${first && t("masks_answer", { said: first.lead })}${hurt && sentence(hurt)}</p>
        <ul class="masks-findings" ?hidden=${others.length === 0 && (!first || rest(first) === nothing)}>
          ${first && rest(first)}${others.map((one) => fact(one, isBrief))}${tries.why && html`<li><span>${t(tries.why)}</span></li>`}</ul>
        <p class="masks-see" ?hidden=${tries.see === null}>${seen(tries)}</p>
      </section>`;
  });

  return {
    element,
    /** Of the facts the first is the answer; `isSmall`: there is little room. */
    update,
    /** The one sentence. */
    says: () => element.querySelector(".masks-answer")?.textContent ?? "",
  };
}
