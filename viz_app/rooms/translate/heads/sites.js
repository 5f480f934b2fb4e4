// The left panel: which attention, what its rows and columns are, all its heads, and what they do.

import { sizeOf, watchSize } from "../../../stage/draw/laid_out.js";
import { html, live, makePart, nothing } from "../../../stage/page/html.js";
import { termed } from "../../../stage/page/terms.js";
import { makeSiteTabs } from "../../../stage/page/pick.js";
import { measuresOf } from "../../../stage/run/habits.js";
import { alignerOf } from "../../../stage/run/view.js";
import { isStepped, rowsOf, SITES, sitesOf } from "../../../stage/anatomy.js";
import { CHOICES } from "../../../stage/choices.js";
import { heightOfPlan } from "./room.js";
import { makeThumbnails } from "./thumbnails.js";

const DRAWN = "drawn"; // in the menu of orders: the heads where they are in a drawing of the model

/**
 * Which heads of cross-attention were taught to align, and the best that was not; else the one that aligns.
 * @param {Words} t
 * @param {State} state
 */
function taughtLine(t, { site, model }) {
  const { taught, anatomy } = model;
  const aligner = alignerOf(model);
  const cross = anatomy.sites.find((one) => one.site === "cross");
  /** @param {number} layer @param {number} head */
  const nameOf = (layer, head) => `${t("layer_short", { n: layer + 1 })}${t("head_short", { n: head + 1 })}`;
  const heads = taught?.heads.map(([layer, head]) => nameOf(layer, head)).join(t("list_between"));
  const says = taught ? termed(t, "habits_taught", { heads, of: (cross?.layers ?? 0) * (cross?.heads ?? 0) })
    : aligner && termed(t, "habits_aligner", { head: nameOf(aligner.layer, aligner.head) });
  return site !== "cross" || !says ? nothing : html`
    <p class="habits">${says}${t("sentences_between")}
      ${taught?.natural ? t("habits_natural", { head: nameOf(taught.natural[0], taught.natural[1]) }) : ""}</p>`;
}

/** @param {Words} t @param {Session} session @param {Redraw} redraw */
export function makeSites(t, session, redraw) {
  const { state, actions } = session;
  const thumbnails = makeThumbnails(t, session, redraw);
  /** @type {?ReturnType<typeof import("./plan.js").makeDrawing>} */
  let drawing = null; // once it is asked for
  const tabs = makeSiteTabs(t, "site", SITES, actions.chooseSite);
  let isDrawn = false; // whether the drawing of the model stands in the place of the heads
  /** @param {any} event */
  function choose({ target: { value } }) {
    isDrawn = value === DRAWN;
    if (isDrawn) redraw();
    else actions.draw({ order: value });
  }

  // What a head does, `said`, is for the eye: its name says it to the ear.
  const { element, update } = makePart((/** @type {string[]} */ orders = [], shown = "", said = "") => {
    const { site, model } = state;
    const known = site === "cross" && alignerOf(model) ? "cross_aligned" : site;
    const isWhole = rowsOf(model, site) === "target" && !isStepped(model, site); // rows are no steps
    return html`
      <section class="sites" aria-label=${t("sites")}>
        <header class="sites-head">${tabs.element}<label class="order-label"><span>${termed(t, "order")}</span>
          <select class="order" aria-label=${t("order")} @change=${choose}>
            ${[...CHOICES.order, DRAWN].map((value) => html`
              <option value=${value} ?hidden=${!orders.includes(value)} .selected=${live(value === shown)}>${t(`order_${value}`)}</option>`)}
          </select></label></header>
        <p class="site-about">${termed(t, `site_${site}_about${isWhole ? "_whole" : ""}`)}
          <span class="nudge">${t("sentences_between")}${t("site_press")}</span></p>
        ${thumbnails.element}
        <div class="sites-foot"><p class="habits" data-habits=${known}>${termed(t, `habits_${known}`)}</p>${taughtLine(t, state)}
          <p class="head-says" aria-hidden="true">${said}</p></div>
        ${drawing?.element}
      </section>`;
  });
  const head = /** @type {HTMLElement} */ (element.firstElementChild);

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
      const isSeen = state.room === "translate";
      const room = isSeen ? roomOfPlan(unit) : null;
      const isAlone = isDrawn && room !== null;
      const orders = ["place", ...measuresOf(state.site), ...(room === null ? [] : [DRAWN])];
      const sorted = orders.includes(state.order) ? state.order : "place";
      if (isAlone && state.more) drawing ??= state.more.makeDrawing(t, session);
      const said = thumbnails.said();
      if (isSeen) {
        update(orders, isAlone ? DRAWN : sorted, said);
        element.classList.toggle("of-plan", isAlone);
        element.classList.toggle("saying", said !== "");
        drawing?.update(isAlone ? room : null, labels, unit);
      }
      thumbnails.update(pictures, palette, unit);
    },
    destroy() {
      thumbnails.destroy();
      for (const watcher of watchers) watcher.disconnect();
    },
  };
}
