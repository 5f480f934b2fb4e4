// Keeping what is on the screen: a dialog that asks the server for a file and downloads it. A page
// without a server makes the data from what is in it.

import { fillSelect, make, makeButton, makeSheet, makeTool, setText, setTrait } from "../page/elements.js";
import { wordsOfError } from "../page/words.js";
import { isStepped, sitesOf, writes } from "../anatomy.js";
import { watchOpening } from "../page/opening.js";
import { answerInTurn } from "../run/asking.js";
import { bytesFromBase64 } from "../run/decode.js";
import { makeChecks } from "./checks.js";
import { EXPORT_HERE, fileHere } from "./data.js";
import { exportPictures, isHere } from "./views.js";

const EXPORT_PICTURES = ["png", "svg", "pdf"];
const ANIMATED = ["decoder", "cross", "lines"]; // where a row is a step
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
 * @property {?AbortController} busy ends what is being made
 * @property {number} drawn how many of the pictures of a lesson pack are there
 * @property {number} of how many it has
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
  const { transport, choices: { what }, pictures, state: { run, options } } = own;
  if (!transport) return EXPORT_HERE;
  if (what === "pack") return ["zip"];
  const isStill = !ANIMATED.includes(what) || !writes(run)
    || !isStepped(run, pictures.find(({ picture }) => picture === what)?.view.site);
  return [...(draws(own) ? [...EXPORT_PICTURES, ...(isStill ? [] : ["gif"])] : []),
    ...(what === "candidates" ? [] : ["html"]), ...(options.data ?? EXPORT_HERE)];
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
    recipe: state.run.recipe, ...shown, format,
    look: { size, theme, palette, scale: Number(scale), language: t.language },
    ...(format === "zip" ? { pictures: each, ...packOf(own) } : {}),
  };
}

/**
 * The parts of the dialog.
 * @param {Own} own
 * @param {{update: function(): void, keep: function(): void, stop: function(): void}} acts
 */
function makeParts(own, { update, keep, stop }) {
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
  const end = makeButton({ text: t("export_stop"), data: { act: "end-export" } }, stop);
  const element = makeSheet(t, "export", t("export"), [
    make("div", { class: "export-fields" }, Object.values(fields)),
    about, why, make("div", { class: "export-end" }, [status, end, save]),
  ]);
  return { element, selects, fields, about, status, save, end };
}

/** @param {Own} own @param {Parts} parts */
function updateParts(own, { element, selects, fields, about, status, save, end }) {
  const { t, choices, busy, drawn, of, fault, saved } = own;
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
  const isPack = format === "zip";
  save.disabled = busy !== null || (isPack && n === 0);
  end.hidden = busy === null;
  setTrait(element, "aria-busy", busy ? "true" : null);
  setText(status, busy ? t(of && drawn ? "export_drawn" : "export_busy", { drawn, of })
    : fault ? wordsOfError(fault, t) : saved ? t(savesItself() ? "export_kept" : "export_saved", { name: saved }) : "");
  status.classList.toggle("alarm", fault !== null);
}

/** Asks for the file, and saves it. @param {Own} own @param {function(): void} update */
async function keepFile(own, update) {
  const { transport, state } = own;
  const [wish, busy, drawing] = [wishOf(own), new AbortController(), Math.random().toString(36)];
  const isOver = () => own.busy !== busy;
  const of = wish.format === "zip" ? countOfPack(own) : 0;
  Object.assign(own, { busy, drawn: 0, of, fault: null, saved: null });
  update();
  /** @type {any} */
  let answer = null;
  if (transport) {
    watchOpening(transport, wish.recipe.model, isOver, (status) => {
      own.drawn = status?.drawn ?? 0;
      update();
    }, drawing);
    answer = await answerInTurn(() => transport({ export: wish, drawing }, busy.signal)
      .catch(() => null), () => !isOver()); // a lost server is told below
  } else answer = fileHere(wish, state);
  if (isOver()) return;
  const isSaved = answer && !answer.error && await saveFile(answer);
  Object.assign(own, { busy: null, fault: answer ? answer.error ?? null : { code: "network" },
    saved: isSaved ? answer.name : null });
  update();
}

/** Ends what is being made. @param {Own} own @param {function(): void} update */
function stopFile(own, update) {
  own.busy?.abort();
  own.busy = null;
  update();
}

/**
 * Offers what the open room can keep; of a lesson pack first what is on the screen.
 * @param {Own} own
 * @param {boolean} isDark
 */
function offer({ t, state: { run, site: open }, choices, pictures, checks }, isDark) {
  const shown = pictures.find(({ view }) => view.layer !== undefined)?.view ?? {};
  const site = /** @type {Site} */ (shown.site ?? open);
  /** @param {Record<Site, number>} of */
  const counted = (of) => Array.from({ length: Math.max(...Object.values(of)) }, (_, i) =>
    ({ value: i + 1, text: String(i + 1) }));
  checks.sites.offer(sitesOf(run).map((one) => ({ value: one, text: t(`site_${one}`) })), site);
  checks.layers.offer(counted(run.layers), (shown.layer ?? run.layers[site] - 1) + 1);
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
  const own = { t, state, transport, choices, pictures: [], busy: null, drawn: 0, of: 0, fault: null,
    saved: null, checks: { sites: checksOf("sites"), layers: checksOf("layers"), heads: checksOf("heads") } };
  /** @type {Parts} */
  const parts = makeParts(own, { update, keep: () => keepFile(own, update),
    stop: () => stopFile(own, update) });
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
    drawn: () => (element.open ? { ...choices, busy: own.busy !== null, drawn: own.drawn, saved: own.saved, fault: own.fault,
      wish: wishOf(own), status: status.textContent } : null),
  };
}
