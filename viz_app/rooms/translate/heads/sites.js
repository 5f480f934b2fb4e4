// The left panel: which attention, what its rows and columns are, all its heads, and what they do.

import { sizeOf, watchSize } from "../../../stage/draw/laid_out.js";
import { hide, make, setText } from "../../../stage/page/elements.js";
import { makeTermed } from "../../../stage/page/terms.js";
import { makeSiteTabs } from "../../../stage/page/pick.js";
import { measuresOf } from "../../../stage/run/habits.js";
import { alignerOf } from "../../../stage/run/view.js";
import { isStepped, rowsOf, SITES, sitesOf } from "../../../stage/anatomy.js";
import { CHOICES } from "../../../stage/choices.js";
import { heightOfPlan } from "./room.js";
import { makeThumbnails } from "./thumbnails.js";

const DRAWN = "drawn"; // in the menu of orders: the heads where they are in a drawing of the model
const ABOUT_WHOLE = ["site_decoder_about_whole", "site_cross_about_whole"]; // rows are no steps

/**
 * Which heads of cross-attention were taught to align, and the best that was not; else the one that aligns.
 * @param {Words} t
 * @param {State} state
 */
function makeTaught(t, state) {
  const taughtLine = makeTermed(t, "habits_taught");
  const found = makeTermed(t, "habits_aligner");
  const natural = make("span");
  const element = make("p", { class: "habits" }, [taughtLine.element, found.element, t("sentences_between"), natural]);
  return {
    element,
    update() {
      const { site, model } = state;
      const { taught, anatomy } = model;
      const aligner = alignerOf(model);
      hide(element, site !== "cross" || !(taught || aligner));
      hide(taughtLine.element, !taught);
      hide(found.element, Boolean(taught));
      const cross = anatomy.sites.find((one) => one.site === "cross");
      /** @param {number} layer @param {number} head */
      const nameOf = (layer, head) => `${t("layer_short", { n: layer + 1 })}${t("head_short", { n: head + 1 })}`;
      if (aligner) found.update({ head: nameOf(aligner.layer, aligner.head) });
      setText(natural, taught?.natural ? t("habits_natural", { head: nameOf(taught.natural[0], taught.natural[1]) }) : "");
      if (!taught) return;
      taughtLine.update({ heads: taught.heads.map(([layer, head]) => nameOf(layer, head)).join(t("list_between")),
        of: (cross?.layers ?? 0) * (cross?.heads ?? 0) });
    },
  };
}

/** @param {Words} t @param {Session} session @param {Redraw} redraw */
export function makeSites(t, session, redraw) {
  const { state, actions } = session;
  const thumbnails = makeThumbnails(t, session, redraw);
  /** @type {?ReturnType<typeof import("./plan.js").makeDrawing>} */
  let drawing = null; // once it is asked for
  const tabs = makeSiteTabs(t, "site", SITES, actions.chooseSite);
  let isDrawn = false; // whether the drawing of the model stands in the place of the heads
  const order = make("select", { class: "order", "aria-label": t("order"), on: {
    change() {
      isDrawn = order.value === DRAWN;
      if (isDrawn) redraw();
      else actions.draw({ order: order.value });
    },
  } }, [...CHOICES.order, DRAWN].map((value) => make("option", { value, text: t(`order_${value}`) })));
  const keys = [...SITES.map((site) => `site_${site}_about`), ...ABOUT_WHOLE];
  const abouts = keys.map((key) => makeTermed(t, key, { class: "site-about" }, "p").element);
  for (const about of abouts) about.append(make("span", { class: "nudge", text: t("sentences_between") + t("site_press") }));
  const legends = [...SITES, "cross_aligned"].map((name) =>
    makeTermed(t, `habits_${name}`, { class: "habits", data: { habits: name } }, "p").element);
  const taught = makeTaught(t, state);
  const head = make("header", { class: "sites-head" }, [
    tabs.element, make("label", { class: "order-label" }, [makeTermed(t, "order").element, order]),
  ]);
  const says = make("p", { class: "head-says", "aria-hidden": "true" }); // a head's name says it
  const element = make("section", { class: "sites", "aria-label": t("sites") }, [head, ...abouts, thumbnails.element,
    make("div", { class: "sites-foot" }, [...legends, taught.element, says])]);

  /** @type {number[]} */
  let size = []; // of the panel and its head, as the drawing was fitted into them
  const watchers = [watchSize(element, () => size.slice(0, 2), redraw), watchSize(head, () => size.slice(2), redraw)];

  /** The height that the drawing can have in the place of the heads; null where that is too little. @param {number} unit */
  function roomOfPlan(unit) {
    size = [element, head].flatMap((one) => sizeOf(one).slice(0, 2));
    const [width, height, , above] = size;
    const needed = state.run && !element.closest(".narrow") ? heightOfPlan(state.model, width, unit) : null;
    const room = height - above - 10 * unit;
    return needed === null || room < needed ? null : room;
  }

  return {
    element,
    heads: thumbnails,
    /**
     * @param {any} pictures
     * @param {Palette} palette
     * @param {number} unit
     * @param {any} labels of both sentences, see makeAxes
     */
    update(pictures, palette, unit, labels) {
      tabs.update(state.site, sitesOf(state.model));
      const room = state.room === "translate" ? roomOfPlan(unit) : null;
      const isAlone = isDrawn && room !== null;
      const orders = ["place", ...measuresOf(state.site), ...(room === null ? [] : [DRAWN])];
      for (const option of order.options) hide(option, !orders.includes(option.value));
      const sorted = orders.includes(state.order) ? state.order : "place";
      const shown = isAlone ? DRAWN : sorted;
      if (order.value !== shown) order.value = shown;
      taught.update();
      const known = state.site === "cross" && alignerOf(state.model) ? "cross_aligned" : state.site;
      for (const legend of legends) hide(legend, legend.dataset.habits !== known);
      const isWhole = rowsOf(state.model, state.site) === "target" && !isStepped(state.model, state.site);
      const key = `site_${state.site}_about${isWhole ? "_whole" : ""}`;
      abouts.forEach((about, i) => { hide(about, keys[i] !== key); });
      if (state.room === "translate") {
        element.classList.toggle("of-plan", isAlone);
        if (isAlone && state.more && !drawing) {
          drawing = state.more.makeDrawing(t, session);
          element.append(drawing.element);
        }
        drawing?.update(isAlone ? room : null, labels, unit);
      }
      thumbnails.update(pictures, palette, unit);
      const said = thumbnails.said();
      setText(says, said);
      element.classList.toggle("saying", said !== "");
    },
    destroy() {
      thumbnails.destroy();
      for (const watcher of watchers) watcher.disconnect();
    },
  };
}
