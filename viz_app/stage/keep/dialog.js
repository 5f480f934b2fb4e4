// Keeping what is on the screen: a dialog that asks the server for a file and downloads it. A page
// without a server makes the data from what is in it.

import { fillSelect, make, makeButton, makeSheet, makeTool, setText, setTrait } from "../page/elements.js";
import { wordsOfError } from "../page/words.js";
import { isStepped, sitesOf, writes } from "../anatomy.js";
import { bytesFromBase64 } from "../run/decode.js";
import { makeChecks } from "./checks.js";
import { EXPORT_HERE, fileHere } from "./data.js";
import { exportPictures, isHere } from "./views.js";

const EXPORT_PICTURES = ["png", "svg", "pdf"];
const ANIMATED = ["decoder", "cross", "lines"]; // where a row is a step
const EXPORT_DATA = ["npz", "json", "csv"];
/** @type {Record<string, (string | number)[]>} */
const EXPORT_CHOICES = { what: [], format: [], scale: [1, 2, 3, 4], size: ["slide", "column"],
  palette: ["colour", "grey"], theme: ["light", "dark"], pictures: EXPORT_PICTURES };
const PACK_CHECKS = /** @type {const} */ (["sites", "layers", "heads"]);

/**
 * What the dialog holds, for the functions below.
 * @typedef {Object} Own
 * @property {Words} t
 * @property {State} state
 * @property {?Transport} transport
 * @property {Record<string, string>} choices what was chosen; kept while the page is built again
 * @property {Kept[]} pictures of the open room
 * @property {boolean} busy
 * @property {any} fault why no file came
 * @property {?string} saved the file that came
 * @property {Record<typeof PACK_CHECKS[number], ReturnType<typeof makeChecks>>} checks of a lesson pack
 * @typedef {ReturnType<typeof makeParts>} Parts
 */

/** What saves a file in a window of its own, see viz_app/desktop/window.py. */
const savesItself = () => /** @type {any} */ (window).pywebview?.api?.save;

/**
 * Gives a file to the reader's downloads, and in a window of its own to the system's dialog; `data`
 * is base64, `text` is text. Whether it was taken.
 * @param {{name: string, type: string, data?: string, text?: string}} file
 */
async function saveFile({ name, type, data, text }) {
  const save = savesItself();
  if (save) return save(name, data ?? null, text ?? null);
  const bytes = text ?? bytesFromBase64(data ?? "");
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return true;
}

/** Whether the server draws pictures. @param {Own} own */
const draws = ({ transport, state }) => transport !== null && !state.options.undrawn;

/** The formats of what is chosen, the usual one first. @param {Own} own */
function formatsOf(own) {
  const { transport, choices: { what }, pictures, state: { run } } = own;
  if (!transport) return EXPORT_HERE;
  if (what === "pack") return ["zip"];
  const isStill = !ANIMATED.includes(what) || !writes(run)
    || !isStepped(run, pictures.find(({ picture }) => picture === what)?.view.site);
  return [...(draws(own) ? [...EXPORT_PICTURES, ...(isStill ? [] : ["gif"])] : []),
    ...(what === "candidates" ? [] : ["html"]), ...EXPORT_DATA];
}

/** The chosen format, where there is such a file. @param {Own} own */
function formatOf(own) {
  const formats = formatsOf(own);
  return formats.includes(own.choices.format) ? own.choices.format : formats[0];
}

/**
 * Which choices a format leaves.
 * @param {string} format
 * @param {string} pictures the format of those in a lesson pack
 * @returns {Record<string, boolean>}
 */
function usesOf(format, pictures) {
  const isPack = format === "zip";
  const isPicture = isPack || format === "gif" || EXPORT_PICTURES.includes(format);
  return { what: true, format: true, scale: format === "png" || (isPack && pictures === "png"),
    size: isPicture, palette: isPicture, theme: isPicture || format === "html", sites: isPack,
    layers: isPack, heads: isPack, pictures: isPack };
}

/** What a lesson pack is about. @param {Own} own @returns {Record<string, any[]>} */
const packOf = ({ checks }) =>
  Object.fromEntries(PACK_CHECKS.map((name) => [name, checks[name].values()]));

/** How many pictures a lesson pack of what is chosen has. @param {Own} own */
function countOfPack(own) {
  const { state: { run }, pictures } = own;
  const { sites, layers, heads } = packOf(own);
  if ([sites, layers, heads].some((values) => values.length === 0)) return 0;
  /** @param {number[]} values @param {number} most */
  const among = (values, most) => values.filter((value) => value <= most).length;
  const reading = pictures.find(({ view }) => view.reading)?.view.reading;
  return sites.reduce((sum, /** @type {Site} */ site) => {
    const [L, H] = [among(layers, run.layers[site]), among(heads, run.heads[site])];
    /** @type {Record<string, number>} */
    const more = { norms: L * H, rollout: L, mean: L, mean_all: 1, hidden: Number(site === "cross") };
    return sum + 1 + L * H + (more[reading] ?? 0);
  }, 0);
}

/** The request for what is chosen. @param {Own} own */
function wishOf(own) {
  const { t, state, choices: { what, scale, size, theme, palette, pictures: each }, pictures } = own;
  const shown = pictures.find(({ picture }) => picture === what)
    ?? pictures.find(({ view }) => view.layer !== undefined)
    ?? { picture: pictures[0].picture, view: {} };
  const format = formatOf(own);
  return {
    recipe: state.run.recipe, ...shown, scale: Number(scale), format,
    look: { size, theme, palette, language: t.language },
    ...(format === "zip" ? { pictures: each, ...packOf(own) } : {}),
  };
}

/**
 * The parts of the dialog.
 * @param {Own} own
 * @param {{update: function(): void, keep: function(): void}} acts
 */
function makeParts(own, { update, keep }) {
  const { t, state, choices, checks } = own;
  const selects = Object.fromEntries(Object.entries(EXPORT_CHOICES).map(([name, values]) => {
    const select = make("select", { data: { export: name }, on: { change: () => {
      choices[name] = select.value;
      Object.assign(own, { saved: null, fault: null });
      update();
    } } }, values.map((value) => make("option", { value,
      text: t(name === "pictures" ? `export_format_${value}` : `export_${name}_${value}`) })));
    return [name, select];
  }));
  /** @type {Record<string, HTMLElement>} */
  const fields = Object.fromEntries([
    ...Object.entries(selects).map(([name, one]) =>
      [name, make("label", {}, [make("span", { text: t(`export_${name}`) }), one])]),
    ...PACK_CHECKS.map((name) => [name, checks[name].element])]);
  const about = make("p", { class: "export-about" });
  const { undrawn = null } = state.options; // why this server draws no pictures
  const why = undrawn === null ? null : make("p", { class: "export-about", text: t(`error_${undrawn}`) });
  const status = make("p", { class: "export-status", role: "status" });
  const save = makeButton({ class: "primary", text: t("export_save"), data: { act: "save" } }, keep);
  const element = makeSheet(t, "export", t("export"), [
    make("div", { class: "export-fields" }, Object.values(fields)),
    about, why, make("div", { class: "export-end" }, [status, save]),
  ]);
  return { element, selects, fields, about, status, save };
}

/** @param {Own} own @param {Parts} parts */
function updateParts(own, { element, selects, fields, about, status, save }) {
  const { t, choices, busy, fault, saved } = own;
  const names = [...own.pictures.map(({ picture }) => picture),
    ...(draws(own) ? ["pack"] : [])];
  if (!names.includes(choices.what)) [choices.what] = names;
  fillSelect(selects.what, names.map((value) => [value, t(`export_what_${value}`)]), choices.what);
  const [formats, format] = [formatsOf(own), formatOf(own)];
  fillSelect(selects.format, formats.map((value) => [value, t(`export_format_${value}`)]), format);
  const uses = usesOf(format, choices.pictures);
  for (const [name, field] of Object.entries(fields)) field.hidden = !uses[name];
  for (const [name, one] of Object.entries(selects)) {
    one.value = String({ ...choices, format }[name]);
  }
  fields.format.hidden = formats.length === 1;
  const n = countOfPack(own);
  setText(about, t(`export_about_${format}`, { n }));
  save.disabled = busy || (format === "zip" && n === 0);
  setTrait(element, "aria-busy", busy ? "true" : null);
  setText(status, busy ? t("export_busy") : fault ? wordsOfError(fault, t)
    : saved ? t(savesItself() ? "export_kept" : "export_saved", { name: saved }) : "");
  status.classList.toggle("alarm", fault !== null);
}

/** Asks for the file, and saves it. @param {Own} own @param {function(): void} update */
async function keepFile(own, update) {
  const { transport, state } = own;
  Object.assign(own, { busy: true, fault: null, saved: null });
  update();
  /** @type {any} */
  let answer = null;
  try {
    answer = transport ? await transport({ export: wishOf(own) }) : fileHere(wishOf(own), state);
  } catch {
    // Told below.
  }
  const isSaved = answer && !answer.error && await saveFile(answer);
  Object.assign(own, { busy: false, fault: answer ? answer.error ?? null : { code: "network" },
    saved: isSaved ? answer.name : null });
  update();
}

/** Offers what the open room can keep. @param {Own} own @param {boolean} isDark */
function offer({ t, state: { run }, choices, pictures, checks }, isDark) {
  /** @param {Record<Site, number>} of */
  const counted = (of) => Array.from({ length: Math.max(...Object.values(of)) }, (_, i) =>
    ({ value: i + 1, text: String(i + 1) }));
  checks.sites.offer(sitesOf(run).map((site) => ({ value: site, text: t(`site_${site}`) })));
  checks.layers.offer(counted(run.layers));
  checks.heads.offer(counted(run.heads));
  Object.assign(choices, { format: "png", scale: "2", size: "slide", palette: "colour",
    pictures: "png", theme: isDark ? "dark" : "light", ...choices, what: pictures[0].picture });
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {?Transport} transport
 * @param {function(): any} look what the open room keeps
 * @param {Record<string, string>} choices what was chosen before
 */
export function makeExport(t, { state, actions }, transport, look, choices) {
  const update = () => updateParts(own, parts);
  const checksOf = (/** @type {string} */ name) => makeChecks(t(`export_${name}`), update);
  /** @type {Own} */
  const own = { t, state, transport, choices, pictures: [], busy: false, fault: null, saved: null,
    checks: { sites: checksOf("sites"), layers: checksOf("layers"), heads: checksOf("heads") } };
  /** @type {Parts} */
  const parts = makeParts(own, { update, keep: () => keepFile(own, update) });
  const { element, status } = parts;

  function show() {
    if (element.open) {
      element.close();
      return;
    }
    if (!state.run) return;
    own.pictures = exportPictures(state, look())
      .filter(({ picture }) => transport || isHere(picture, state));
    if (own.pictures.length === 0) { // of heads that were not measured, say
      actions.tell({ code: "alone" });
      return;
    }
    offer(own, getComputedStyle(element).colorScheme === "dark");
    Object.assign(own, { fault: null, saved: null });
    update();
    element.showModal();
  }

  const button = makeTool("export", t("export"), show,
    t(transport ? "export_hint" : "export_hint_alone"));
  return {
    element, button, show,
    drawn: () => (element.open ? { ...choices, busy: own.busy, saved: own.saved, fault: own.fault,
      wish: wishOf(own), status: status.textContent } : null),
  };
}
