// Keeping what is on the screen: a dialog that asks the server for a file and downloads it.
//
// What can be kept of each room, by the names of viz_app/export/view.py. Layers, heads, steps and
// places count from 1 there.

const EXPORT_PICTURES = ["png", "svg", "pdf"];
const EXPORT_DATA = ["npz", "json", "csv"];
const EXPORT_CHOICES = { scale: [1, 2, 3, 4], size: ["slide", "column"],
  palette: ["colour", "grey"], theme: ["light", "dark"] };

/** The views of the open room, the one on the screen first: [{view, ...}]. */
function exportViews(state, kept, drawn) {
  const { site, at, run, room } = state;
  const placed = (of) => ({ site: of, layer: state.locks[of].layer + 1,
    head: state.locks[of].head + 1 });
  const views = {
    translate() {
      const step = at < run.steps.length - 1 && site !== "encoder" ? { step: at + 1 } : {};
      const common = { ...placed(site), rows: state.rows, ...step };
      const heads = [site, "lines"].map((view) => ({ view, ...common }));
      if (state.view === "lines") heads.reverse();
      return [...heads, { view: "heads", site, rows: state.rows, ...step },
        { view: "candidates", step: at + 1 }];
    },
    masks() {
      const { breaks, sentences, shown, view } = kept;
      const common = { ...placed(kept.site), sentences,
        ...(shown === null ? {} : { shown: shown + 1 }) };
      const masks = ["scores", "masks", "broken"].map((name) =>
        ({ view: name, ...common, ...breaks }));
      const passes = kept.site === "encoder" ? [] : [{ view: "passes", ...common }];
      return view === "passes" ? [...passes, ...masks] : [...masks, ...passes];
    },
    positions() {
      const own = kept[kept.open];
      if (kept.open === "sum") return [{ view: "sum", side: own.side }];
      if (kept.open === "order") {
        return [{ view: "order", ...placed(own.site), positions_off: own.mode === "off",
          ...(drawn?.order ? { order: drawn.order.map((place) => place + 1) } : {}),
          ...(drawn?.rows ? { places: drawn.rows } : {}) }];
      }
      if (kept.open === "rotary") {
        return [{ view: "rotary", ...placed(own.site), query: own.query + 1, key: own.key + 1 }];
      }
      const kind = own.kind ? { kind: own.kind } : {};
      const dimensions = drawn?.curves?.length ? { dimensions: drawn.curves } : {};
      return [{ view: "positions", ...kind }, { view: "curves", ...kind, ...dimensions },
        { view: "similarity", ...kind }];
    },
    inside() {
      const cell = state.cells[site] ?? { query: 0, key: 0 };
      const place = kept.place
        ?? { side: site === "encoder" ? "source" : "target", position: cell.query };
      const both = [
        { view: "head", ...placed(site), query: cell.query + 1, key: cell.key + 1 },
        { view: "way", side: place.side, query: place.position + 1 }];
      return kept.view === "way" ? both.reverse() : both;
    },
  };
  return views[room]();
}

/** Gives a file to the reader's downloads. */
function saveFile({ name, type, data }) {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * @param {{state: Object}} session
 * @param {function(Object): Promise<Object>} transport
 * @param {function(): {kept: Object, drawn: Object}} look what the rooms keep and draw now
 * @param {Object} choices what was chosen before; kept while the page is built again
 * @returns {{element: HTMLElement, button: HTMLElement, show: function, drawn: function}}
 */
function makeExport(t, { state }, transport, look, choices) {
  let views = [];
  let busy = false;
  let fault = null;
  let saved = null;

  const select = (name, values = []) => make("select", { data: { export: name }, on: {
    change: (event) => {
      choices[name] = event.target.value;
      saved = null;
      fault = null;
      update();
    },
  } }, values.map((value) => make("option", { value, text: t(`export_${name}_${value}`) })));
  const selects = { what: select("what"), format: select("format"),
    ...Object.fromEntries(Object.entries(EXPORT_CHOICES).map(([name, values]) =>
      [name, select(name, values)])) };
  const fields = Object.fromEntries(Object.entries(selects).map(([name, one]) => [name,
    make("label", {}, [make("span", { text: t(`export_${name}`) }), one])]));
  const sites = SITES.map((site) => make("input", { type: "checkbox", value: site, checked: true }));
  fields.sites = make("fieldset", { class: "export-sites" }, [
    make("legend", { text: t("export_sites") }),
    ...sites.map((box) => make("label", {}, [box, make("span", { text: t(`site_${box.value}`) })]))]);
  const about = make("p", { class: "export-about" });
  const status = make("p", { class: "export-status", role: "status" });
  const save = makeButton({ class: "primary", text: t("export_save"), data: { act: "save" } }, keep);
  const close = makeButton({ class: "tool", "aria-label": t("close") }, () => element.close(),
    [makeIcon("close")]);
  const element = make("dialog", { class: "sheet export", "aria-label": t("export") }, [
    make("header", {}, [make("h3", { text: t("export") }), close]),
    make("div", { class: "export-fields" }, Object.values(fields)),
    about, make("div", { class: "export-end" }, [status, save]),
  ]);
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  const button = makeButton({ class: "tool", "aria-label": t("export"), title: t("export_hint"),
    data: { tool: "export" } }, show, [makeIcon("export")]);

  const chosen = () => views.find(({ view }) => view === choices.what)?.view ?? choices.what;

  function formatsOf(what) {
    if (what === "decode") return ["gif"];
    if (what === "pack") return ["zip"];
    const page = state.room === "translate" && what !== "candidates" ? ["html"] : [];
    return [...EXPORT_PICTURES, ...page, ...EXPORT_DATA];
  }

  function fill(one, values, text) {
    if ([...one.options].map((option) => option.value).join() === values.join()) return;
    one.replaceChildren(...values.map((value) => make("option", { value, text: text(value) })));
  }

  function update() {
    const names = [...views.map(({ view }) => view), "decode", "pack"];
    if (!names.includes(choices.what)) choices.what = names[0];
    fill(selects.what, names, (value) => t(`export_what_${value}`));
    const formats = formatsOf(choices.what);
    const format = formats.includes(choices.format) ? choices.format : formats[0];
    fill(selects.format, formats, (value) => t(`export_format_${value}`));
    const isPicture = EXPORT_PICTURES.includes(format) || format === "gif" || format === "zip";
    const uses = { scale: format === "png" || format === "zip", size: isPicture, palette: isPicture,
      theme: isPicture || format === "html", sites: format === "zip", what: true, format: true };
    for (const [name, field] of Object.entries(fields)) field.hidden = !uses[name];
    const values = { ...choices, format };
    for (const [name, one] of Object.entries(selects)) one.value = String(values[name]);
    fields.format.hidden = formats.length === 1;
    setText(about, t(`export_about_${format}`));
    save.disabled = busy || (format === "zip" && !sites.some((box) => box.checked));
    setTrait(element, "aria-busy", busy ? "true" : null);
    setText(status, busy ? t("export_busy") : fault ? wordsOfError(fault, t)
      : saved ? t("export_saved", { name: saved }) : "");
    status.classList.toggle("alarm", fault !== null);
  }

  /** The request for what is chosen. */
  function wish() {
    const formats = formatsOf(choices.what);
    const view = views.find((one) => one.view === chosen()) ?? views.find((one) => one.layer)
      ?? { view: "cross" };
    return {
      recipe: state.run.recipe, view, scale: Number(choices.scale),
      format: formats.includes(choices.format) ? choices.format : formats[0],
      look: { size: choices.size, theme: choices.theme, palette: choices.palette,
        language: t.language },
      sites: sites.filter((box) => box.checked).map((box) => box.value),
    };
  }

  async function keep() {
    [busy, fault, saved] = [true, null, null];
    update();
    let answer = null;
    try {
      answer = await transport({ export: wish() });
    } catch {
      // Told below.
    }
    busy = false;
    if (!answer) fault = { code: "network" };
    else if (answer.error) fault = answer.error;
    else {
      saveFile(answer);
      saved = answer.name;
    }
    update();
  }

  function show() {
    if (element.open) {
      element.close();
      return;
    }
    if (!state.run) return;
    const { kept, drawn } = look();
    views = exportViews(state, kept, drawn);
    choices.what = views[0].view;
    const dark = getComputedStyle(button.closest(".stage")).colorScheme === "dark";
    Object.assign(choices, { format: "png", scale: "2", size: "slide", palette: "colour",
      theme: dark ? "dark" : "light", ...choices });
    [fault, saved] = [null, null];
    update();
    element.showModal();
  }

  for (const box of sites) box.addEventListener("change", update);
  return {
    element, button, show,
    drawn: () => (element.open ? { ...choices, busy, saved, fault, wish: wish(),
      status: status.textContent } : null),
  };
}
