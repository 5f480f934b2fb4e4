// What the room Masks found, as the first thing that is read: one sentence, with the token to press
// that it hurts most; under it the other facts, and what to try.

import { make, makeButton, makeDiffers } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/terms.js";

const MASKS_FEW = 3; // facts that fit beside each other in full sentences
const HERE = "\0"; // where a token stands in a sentence

/**
 * @typedef {import("./facts.js").Fact} Fact
 * @typedef {import("./facts.js").Hurt} Hurt
 * @typedef {{see: ?string, edit: ?string}} Tries the key of the words that say what to look at, and the
 *     edit that breaks it
 */

/**
 * @param {Words} t
 * @param {{showHead: function(number, number): void, showSite: function(Site, number): void,
 *   showWhere: function(number): void, tryBreak: function(string): void}} acts
 */
export function makeBanner(t, { showHead, showSite, showWhere, tryBreak }) {
  const answer = make("p", { class: "masks-answer" });
  const list = make("ul", { class: "masks-findings" });
  const see = make("p", { class: "masks-see" });
  const element = make("section", { class: "masks-banner", "aria-label": t("masks_check"),
    "aria-live": "polite" }, [answer, list, see]);
  const isOther = makeDiffers();

  /** What the token that is hurt most leads to. @param {Hurt} hurt */
  function sentence({ key, values, label, kind, at }) {
    const [before, after] = t(key, { ...values, token: HERE }).split(HERE);
    return [before, makeButton({ class: "kind masks-hurt", text: label, dir: "auto",
      title: t("masks_hurt_hint"), data: { act: "masks-where", kind } }, () => showWhere(at)), after];
  }

  /** @param {Fact} one */
  const links = ({ head, where }) => [
    head ? makeButton({ class: "as-link", text: head.text, title: t("masks_check_most_hint") },
      () => showHead(head.layer, head.head)) : null,
    where ? makeButton({ class: "as-link", text: where.text, data: { act: "masks-elsewhere",
      asks: "", elsewhere: where.site, elsewhereShown: String(where.shown) } },
    () => showSite(where.site, where.shown)) : null];

  /** @param {Fact} one @param {boolean} isBrief */
  function fact(one, isBrief) {
    const { lead, more, kind, head, brief = { lead, more } } = one;
    const said = isBrief ? brief : { lead, more };
    return make("li", { class: kind, title: isBrief ? `${lead}: ${more}${head?.text ?? ""}` : null }, [
      make("strong", { text: said.lead }), said.more && " ", make("span", { text: said.more }),
      ...links(one).flatMap((link) => (link ? [" ", link] : []))]);
  }

  /** What else is to be said of the fact that is the answer. @param {Fact} one */
  const rest = (one) => (one.more || one.head || one.where ? [make("li", {}, [
    make("span", { text: one.more }), ...links(one)])] : []);

  return {
    element,
    /**
     * @param {Fact[]} facts the first is the answer
     * @param {Tries} tries
     * @param {?Hurt} hurt
     * @param {boolean} isSmall whether there is little room
     */
    update(facts, tries, hurt = null, isSmall = false) {
      if (!isOther(JSON.stringify([facts, hurt, tries]), isSmall)) return;
      const [first, ...others] = facts;
      answer.className = `masks-answer ${first.kind}`;
      answer.replaceChildren(t("masks_answer", { said: first.lead }),
        ...(hurt ? [t("sentences_between"), ...sentence(hurt)] : []));
      // Two breaks at once have more to say than fits in full.
      const isBrief = isSmall || facts.length > MASKS_FEW;
      list.replaceChildren(...rest(first), ...others.map((one) => fact(one, isBrief)));
      list.hidden = list.childElementCount === 0;
      const { see: key, edit } = tries;
      see.hidden = key === null;
      see.replaceChildren(...(key === null ? [] : [makeTermed(t, key).element,
        ...(edit ? [" ", makeButton({ class: "as-link", text: t(`masks_try_${edit.split(":")[0]}`),
          data: { act: "masks-try", asks: "", edit } }, () => tryBreak(edit))] : [])]));
    },
    /** The one sentence. */
    says: () => answer.textContent ?? "",
  };
}
