// The left panel: which attention, what its rows and columns are, and all its heads.

/** @returns {{element: HTMLElement, update: function, destroy: function, heads: Object}} */
function makeSites(t, session, redraw) {
  const { state, actions } = session;
  const thumbnails = makeThumbnails(t, session, redraw);
  const nowhere = { query: null, key: null };
  const choose = (site) => actions.set({ site, preview: null, pointed: nowhere });
  const tabs = SITES.map((site) => makeButton({ class: "tab", role: "tab", text: t(`site_${site}`),
    data: { site } }, () => choose(site)));
  const list = make("div", { class: "tabs", role: "tablist", "aria-label": t("sites"), on: {
    keydown: (event) => {
      const turn = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!turn) return;
      event.preventDefault();
      event.stopPropagation();
      const next = (SITES.indexOf(state.site) + turn + SITES.length) % SITES.length;
      choose(SITES[next]);
      tabs[next].focus();
    },
  } }, tabs);
  const order = make("select", { class: "order", "aria-label": t("order"), on: {
    change: () => actions.set({ order: order.value }),
  } }, ["place", "entropy"].map((value) =>
    make("option", { value, text: t(`order_${value}`) })));
  const abouts = SITES.map((site) =>
    makeTermed(t, `site_${site}_about`, { class: "site-about" }, "p").element);
  const element = make("section", { class: "sites", "aria-label": t("sites") }, [
    make("header", { class: "sites-head" }, [
      list, make("label", { class: "order-label" }, [makeTermed(t, "order").element, order]),
    ]),
    ...abouts, thumbnails.element,
  ]);
  return {
    element,
    heads: thumbnails,
    update(pictures, palette, unit) {
      for (const tab of tabs) {
        setTrait(tab, "aria-selected", tab.dataset.site === state.site);
        setTrait(tab, "tabindex", tab.dataset.site === state.site ? "0" : "-1");
      }
      if (order.value !== state.order) order.value = state.order;
      abouts.forEach((about, i) => { about.hidden = SITES[i] !== state.site; });
      thumbnails.update(pictures, palette, unit);
    },
    destroy: thumbnails.destroy,
  };
}
