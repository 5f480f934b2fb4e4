// The left panel: which attention, what its rows and columns are, and all its heads.

import { make } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";
import { makeSiteTabs } from "../../stage/page/pick.js";
import { SITES } from "../../stage/run/run.js";
import { makeThumbnails } from "./thumbnails.js";

/**
 * @param {Words} t
 * @param {Session} session
 * @param {Redraw} redraw
 */
export function makeSites(t, session, redraw) {
  const { state, actions } = session;
  const thumbnails = makeThumbnails(t, session, redraw);
  const tabs = makeSiteTabs(t, "site", SITES, actions.chooseSite);
  const order = make("select", { class: "order", "aria-label": t("order"), on: {
    change: () => actions.draw({ order: order.value }),
  } }, ["place", "entropy"].map((value) =>
    make("option", { value, text: t(`order_${value}`) })));
  const abouts = SITES.map((site) =>
    makeTermed(t, `site_${site}_about`, { class: "site-about" }, "p").element);
  const element = make("section", { class: "sites", "aria-label": t("sites") }, [
    make("header", { class: "sites-head" }, [
      tabs.element, make("label", { class: "order-label" }, [makeTermed(t, "order").element, order]),
    ]),
    ...abouts, thumbnails.element,
  ]);
  return {
    element,
    heads: thumbnails,
    /**
     * @param {any} pictures
     * @param {Palette} palette
     * @param {number} unit
     */
    update(pictures, palette, unit) {
      tabs.update(state.site);
      if (order.value !== state.order) order.value = state.order;
      abouts.forEach((about, i) => { about.hidden = SITES[i] !== state.site; });
      thumbnails.update(pictures, palette, unit);
    },
    destroy: thumbnails.destroy,
  };
}
