// The words of the sentence in their order, and the position that each has.

import { quoted } from "../../../stage/draw/labels.js";
import { make, makeButton, makeDiffers, setText } from "../../../stage/page/elements.js";

/**
 * The words in their order with their positions: press two to swap them.
 * @param {Words} t
 * @param {OrderLook} look
 * @param {Redraw} redraw
 */
export function makeOrderStrip(t, look, redraw) {
  const list = make("div", { class: "positions-words", role: "group",
    "aria-label": t("positions_words") });
  const which = make("span", { class: "positions-quiet" });
  const step = (/** @type {number} */ by) => makeButton({ class: "tool", text: by > 0 ? "+" : "−",
    "aria-label": t(by > 0 ? "positions_later" : "positions_earlier") }, () => {
    if (look.chosen === null) return;
    const word = look.order[look.chosen];
    look.shift = { ...look.shift, [word]: (look.shift[word] ?? 0) + by };
    look.at = null;
    redraw();
  });
  const fewer = step(-1);
  const more = step(1);
  const stepper = make("div", { class: "positions-stepper" }, [which, fewer, more]);
  const isOther = makeDiffers();
  /** @type {{word: number, index: number, text: string, kind: string, moved: boolean,
   *   shifted: boolean, row: string}[]} */
  let shown = [];

  /** @param {number} place */
  function press(place) {
    if (!look.held) return; // a new sentence is on its way
    if (look.chosen === null || look.chosen === place) {
      look.chosen = look.chosen === place ? null : place;
    } else {
      const order = look.order.slice();
      [order[place], order[look.chosen]] = [order[look.chosen], order[place]];
      Object.assign(look, { order, chosen: null, at: null });
    }
    redraw();
  }

  return {
    element: make("div", { class: "positions-strip" }, [list, stepper]),
    /** @param {Label[]} labels of the sentence as typed @param {number} positions that there are */
    update(labels, positions) {
      let place = 0;
      const pieces = look.held?.source.pieces ?? [];
      shown = look.order.map((word, index) => {
        const tokens = look.words[word];
        const shift = look.shift[word] ?? 0;
        const row = (/** @type {number} */ at) => Math.max(0, Math.min(positions - 1, at + shift));
        const first = row(place);
        const last = row(place + tokens.length - 1);
        place += tokens.length;
        return { word, index, text: tokens.map((token, i) => (i && /^[▁Ġ]/.test(pieces[token]) ? " " : "")
            + labels[token].label).join(""),
          kind: labels[tokens[0]].kind, moved: word !== index, shifted: shift !== 0,
          row: first === last ? String(first) : `${first}–${last}` };
      });
      if (!isOther(JSON.stringify(shown), look.chosen)) return;
      const focused = [...list.children].findIndex((one) => one === document.activeElement);
      list.replaceChildren(...shown.map((item) => makeButton({
        class: `positions-word${item.moved ? " moved" : ""}${item.shifted ? " shifted" : ""}`,
        "aria-pressed": String(item.index === look.chosen), data: { place: item.index,
          kind: item.kind },
        "aria-label": t("positions_word", { word: item.text, row: item.row }),
      }, () => press(item.index), [
        make("span", { class: "positions-word-text", text: item.text, title: item.text,
          dir: "auto" }),
        make("small", { text: item.row })])));
      const again = list.children[Math.min(focused, list.children.length - 1)];
      if (focused >= 0 && again instanceof HTMLElement) again.focus();
      const chosen = look.chosen === null ? null : shown[look.chosen];
      setText(which, chosen ? t("positions_of_word", { word: quoted(chosen.text), row: chosen.row })
        : t("positions_press_two"));
      stepper.classList.toggle("idle", !chosen);
      fewer.hidden = !chosen;
      more.hidden = !chosen;
    },
    drawn: () => shown.map(({ text, row }) => ({ text, row })),
  };
}
