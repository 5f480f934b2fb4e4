// Keeping what is on the screen: a dialog that asks the server for a file and downloads it. A page
// without a server makes the data from what is in it.

import { make, makeButton, makeIcon, setText, setTrait } from "../page/elements.js";
import { wordsOfError } from "../page/words.js";
import { sitesOf, writes } from "../anatomy.js";
import { makeChecks } from "./checks.js";
import { EXPORT_HERE, fileHere } from "./data.js";
import { exportPictures, isHere } from "./views.js";

const EXPORT_PICTURES = ["png", "svg", "pdf"];
const EXPORT_DATA = ["npz", "json", "csv"];
const EXPORT_CHOICES = { scale: [1, 2, 3, 4], size: ["slide", "column"],
  palette: ["colour", "grey"], theme: ["light", "dark"], pictures: EXPORT_PICTURES };

/** What saves a file in a window of its own, see viz_app/desktop/window.py. */
const savesItself = () => /** @type {any} */ (window).pywebview?.api?.save;

/**
 * Gives a file to the reader's downloads, and in a window of its own to the system's dialog; `data`
 * is base64, `text` is text. Whether it was taken.
 */
async function saveFile({ name, type, data, text }) {
  const save = savesItself();
  if (save) return save(name, data ?? null, text ?? null);
  const bytes = text ?? Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return true;
}

/**
 * @param {Object} t words
 * @param {{state: Object, actions: Object}} session
 * @param {?function(Object): Promise<Object>} transport
 * @param {function(): Object} look what the open room keeps
 * @param {Object} choices what was chosen before; kept while the page is built again
 */
export function makeExport(t, session, transport, look, choices) {
  const { state } = session;
  let pictures = [];
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
  } }, values.map((value) => make("option", { value,
    text: t(name === "pictures" ? `export_format_${value}` : `export_${name}_${value}`) })));
  const selects = { what: select("what"), format: select("format"),
    ...Object.fromEntries(Object.entries(EXPORT_CHOICES).map(([name, values]) =>
      [name, select(name, values)])) };
  /** @type {Object<string, HTMLElement>} */
  const fields = Object.fromEntries(Object.entries(selects).map(([name, one]) => [name,
    make("label", {}, [make("span", { text: t(`export_${name}`) }), one])]));
  const checks = Object.fromEntries(["sites", "layers", "heads"].map((name) =>
    [name, makeChecks(t(`export_${name}`), () => update())]));
  for (const [name, { element: one }] of Object.entries(checks)) fields[name] = one;
  const about = make("p", { class: "export-about" });
  const { undrawn = null } = state.options; // why this server draws no pictures
  const why = undrawn && make("p", { class: "export-about", text: t(`error_${undrawn}`) });
  const status = make("p", { class: "export-status", role: "status" });
  const save = makeButton({ class: "primary", text: t("export_save"), data: { act: "save" } }, keep);
  const close = makeButton({ class: "tool", "aria-label": t("close") }, () => element.close(),
    [makeIcon("close")]);
  const element = make("dialog", { class: "sheet export", "aria-label": t("export") }, [
    make("header", {}, [make("h3", { text: t("export") }), close]),
    make("div", { class: "export-fields" }, Object.values(fields)),
    about, why, make("div", { class: "export-end" }, [status, save]),
  ]);
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  const button = makeButton({ class: "tool", "aria-label": t("export"), title: t(transport ? "export_hint" : "export_hint_alone"),
    data: { tool: "export" } }, show, [makeIcon("export")]);

  function formatsOf(what) {
    if (!transport) return EXPORT_HERE;
    if (what === "decode") return ["gif"];
    if (what === "pack") return ["zip"];
    return [...(undrawn ? [] : EXPORT_PICTURES), ...(what === "candidates" ? [] : ["html"]), ...EXPORT_DATA];
  }

  function fill(one, values, text) {
    if ([...one.options].map((option) => option.value).join() === values.join()) return;
    one.replaceChildren(...values.map((value) => make("option", { value, text: text(value) })));
  }

  const said = (name) => (savesItself() ? t("export_kept", { name }) : t("export_saved", { name }));

  function update() {
    const drawn = transport && !undrawn;
    const names = [...pictures.map(({ picture }) => picture), ...(drawn ? [...(writes(state.run) ? ["decode"] : []), "pack"] : [])];
    if (!names.includes(choices.what)) choices.what = names[0];
    fill(selects.what, names, (value) => t(`export_what_${value}`));
    const formats = formatsOf(choices.what);
    const format = formats.includes(choices.format) ? choices.format : formats[0];
    fill(selects.format, formats, (value) => t(`export_format_${value}`));
    const isPicture = EXPORT_PICTURES.includes(format) || format === "gif" || format === "zip";
    const isPack = format === "zip";
    const uses = { scale: format === "png" || (isPack && choices.pictures === "png"),
      size: isPicture, palette: isPicture, theme: isPicture || format === "html", sites: isPack,
      layers: isPack, heads: isPack, pictures: isPack, what: true, format: true };
    for (const [name, field] of Object.entries(fields)) field.hidden = !uses[name];
    const values = { ...choices, format };
    for (const [name, one] of Object.entries(selects)) one.value = String(values[name]);
    fields.format.hidden = formats.length === 1;
    const n = countOfPack();
    setText(about, t(`export_about_${format}`, { n }));
    save.disabled = busy || (isPack && n === 0);
    setTrait(element, "aria-busy", busy ? "true" : null);
    setText(status, busy ? t("export_busy") : fault ? wordsOfError(fault, t)
      : saved ? said(saved) : "");
    status.classList.toggle("alarm", fault !== null);
  }

  /** How many pictures a lesson pack of what is chosen has. */
  function countOfPack() {
    const { layers, heads } = state.run;
    const chosen = Object.fromEntries(Object.entries(checks).map(([name, { values }]) =>
      [name, values()]));
    if (Object.values(chosen).some((values) => values.length === 0)) return 0;
    const among = (values, most) => values.filter((value) => value <= most).length;
    const reading = pictures.find(({ view }) => view.reading)?.view.reading;
    return chosen.sites.reduce((sum, site) => {
      const [L, H] = [among(chosen.layers, layers[site]), among(chosen.heads, heads[site])];
      const more = { norms: L * H, rollout: L, mean: L, mean_all: 1, hidden: Number(site === "cross") };
      return sum + 1 + L * H + (more[reading] ?? 0);
    }, 0);
  }

  /** The request for what is chosen. */
  function wish() {
    const formats = formatsOf(choices.what);
    const shown = pictures.find(({ picture }) => picture === choices.what)
      ?? pictures.find(({ view }) => view.layer !== undefined) ?? { picture: pictures[0].picture, view: {} };
    const format = formats.includes(choices.format) ? choices.format : formats[0];
    const ofPack = format !== "zip" ? {} : { pictures: choices.pictures,
      ...Object.fromEntries(Object.entries(checks).map(([name, { values }]) => [name, values()])) };
    return {
      recipe: state.run.recipe, ...shown, scale: Number(choices.scale), format,
      look: { size: choices.size, theme: choices.theme, palette: choices.palette,
        language: t.language },
      ...ofPack,
    };
  }

  async function keep() {
    [busy, fault, saved] = [true, null, null];
    update();
    let answer = null;
    try {
      answer = transport ? await transport({ export: wish() }) : fileHere(wish(), state);
    } catch {
      // Told below.
    }
    const isSaved = answer && !answer.error && await saveFile(answer);
    busy = false;
    if (!answer) fault = { code: "network" };
    else if (answer.error) fault = answer.error;
    else if (isSaved) saved = answer.name;
    update();
  }

  function show() {
    if (element.open) {
      element.close();
      return;
    }
    if (!state.run) return;
    pictures = exportPictures(state, look())
      .filter(({ picture }) => transport || isHere(picture, state));
    if (pictures.length === 0) { // of heads that were not measured, say
      session.actions.tell({ code: "alone" });
      return;
    }
    const counted = (of) => Array.from({ length: Math.max(...Object.values(of)) }, (_, i) =>
      ({ value: i + 1, text: String(i + 1) }));
    checks.sites.offer(sitesOf(state.run).map((site) => ({ value: site, text: t(`site_${site}`) })));
    checks.layers.offer(counted(state.run.layers));
    checks.heads.offer(counted(state.run.heads));
    choices.what = pictures[0].picture;
    const dark = getComputedStyle(button.closest(".stage")).colorScheme === "dark";
    Object.assign(choices, { format: "png", scale: "2", size: "slide", palette: "colour",
      pictures: "png", theme: dark ? "dark" : "light", ...choices });
    [fault, saved] = [null, null];
    update();
    element.showModal();
  }

  return {
    element, button, show,
    drawn: () => (element.open ? { ...choices, busy, saved, fault, wish: wish(),
      status: status.textContent } : null),
  };
}
