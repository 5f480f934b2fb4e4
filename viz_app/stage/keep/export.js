// Keeping what is on the screen: a dialog that asks the server for a file and downloads it. A page
// without a server makes the data from what is in it.

import { options } from "../page/elements.js";
import { html, live, makePart, nothing } from "../page/html.js";
import { isWorkerAwaited, workerSays } from "../page/worker_status.js";
import { dialog } from "../page/dialog.js";
import { wordsOfError } from "../page/words.js";
import { lessonMade, placeIn } from "../lesson/progress.js";
import { isStepped, sitesOf, writes } from "../anatomy.js";
import { answerInTurn, watchStatus } from "../run/ask.js";
import { bytesFromBase64 } from "../run/wire.js";
import { EXPORT_HERE, fileHere, nameHere } from "./data.js";
import { exportPictures, isHere } from "./kept.js";
import { saveFile, savesItself } from "./saved.js";

const EXPORT_PICTURES = ["png", "svg", "pdf"];
const PICTURES_HERE = ["png", "svg"]; // made by the page itself, without a server
const COMPUTED = ["npz", ...EXPORT_HERE]; // made by what computes in a page of a site
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
 * @property {?Transport} files
 * @property {SheetPage["here"]} here
 * @property {Record<string, string>} choices what was chosen; kept while the page is built again
 * @property {Kept[]} pictures of the open room
 * @property {?AbortController} busy ends what is being made
 * @property {number} drawn how many of the pictures of a lesson pack are there
 * @property {number} of how many it has
 * @property {any} fault why no file came
 * @property {?string} saved the file that came
 * @property {?string} copied what is said of the picture that was to be copied
 * @property {Record<typeof PACK_CHECKS[number], {offered: {value: any, text: string}[], ticked: any[]}>} checks
 *     of a lesson pack
 */

/** Whether the server draws pictures. @param {Own} own */
const draws = ({ transport, state }) => transport !== null && !state.options.undrawn;

/** The formats of what is chosen, the usual one first. @param {Own} own */
function formatsOf(own) {
  const { transport, choices: { what }, pictures, state: { run, options } } = own;
  if (what === "pack") return ["zip"];
  const drawnHere = own.here.holds(what) ? PICTURES_HERE : [];
  const page = what === "candidates" ? [] : ["html"];
  if (own.files) return [...drawnHere, ...page, ...COMPUTED];
  if (!transport) return [...drawnHere, ...(isHere(what, own.state) ? EXPORT_HERE : [])];
  const isStill = !ANIMATED.includes(what) || !writes(run)
    || !isStepped(run, pictures.find(({ picture }) => picture === what)?.view.site);
  return [...(!draws(own) ? drawnHere : [...EXPORT_PICTURES, ...(isStill ? [] : ["gif"])]),
    ...page, ...(options.data ?? EXPORT_HERE)];
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
  Object.fromEntries(PACK_CHECKS.map((name) => [name, checks[name].offered.map(({ value }) => value)
    .filter((value) => checks[name].ticked.includes(value))]));

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

/** The lesson that is on; one that was made here comes with its file. @param {string} place */
function lessonOf(place) {
  const made = lessonMade();
  return { lesson: place, ...(made && placeIn(place)?.name === made.name ? { written: made.written } : {}) };
}

/** The request for what is chosen. @param {Own} own */
function fileRequestOf(own) {
  const { t, state, choices: { what, scale, size, theme, palette, pictures: each }, pictures } = own;
  const shown = pictures.find(({ picture }) => picture === what)
    ?? pictures.find(({ view }) => view.layer !== undefined)
    ?? { picture: pictures[0].picture, view: {} };
  const format = formatOf(own);
  return {
    recipe: state.run.recipe, ...shown, format,
    look: { size, theme, palette, scale: Number(scale), language: t.language },
    ...(format === "zip" ? { pictures: each, ...packOf(own) } : {}),
    ...(["zip", "html"].includes(format) && state.lesson ? lessonOf(state.lesson) : {}),
  };
}

/**
 * A line of boxes to tick.
 * @param {Own} own
 * @param {typeof PACK_CHECKS[number]} name
 * @param {boolean} isUsed
 * @param {function(): void} update
 */
function checksOf({ t, checks }, name, isUsed, update) {
  const { offered, ticked } = checks[name];
  /** @param {any} value @param {boolean} isTicked */
  function tick(value, isTicked) {
    checks[name].ticked = isTicked ? [...ticked, value] : ticked.filter((one) => one !== value);
    update();
  }
  return html`
    <fieldset class="export-checks" ?hidden=${!isUsed}><legend>${t(`export_${name}`)}</legend>
      <div>${offered.map(({ value, text }) => html`
        <label><input type="checkbox" value=${value} .checked=${live(ticked.includes(value))}
          @change=${(/** @type {any} */ { target }) => tick(value, target.checked)}><span>${text}</span></label>`)}</div></fieldset>`;
}

/** What is said below. @param {Own} own */
function statusOf({ t, state, busy, drawn, of, fault, saved, copied }) {
  if (busy && isWorkerAwaited(state.worker)) return workerSays(t, state.worker);
  if (busy) return t(of && drawn ? "export_drawn" : "export_busy", { drawn, of });
  if (fault) return wordsOfError(fault, t);
  if (copied) return t(copied);
  return saved ? t(savesItself() ? "export_kept" : "export_saved", { name: saved }) : "";
}

/**
 * What is in the dialog.
 * @param {Own} own
 * @param {{update: function(): void, keep: function(): void, copy: function(): void, stop: function(): void}} acts
 */
function content(own, { update, keep, copy, stop }) {
  const { t, choices, busy, pictures, state: { options: { undrawn = null } } } = own; // why none are drawn
  const [formats, format] = [formatsOf(own), formatOf(own)];
  const uses = usesOf(format, choices.pictures);
  const n = countOfPack(own);
  /** @type {Record<string, (string | number)[]>} */
  const offered = { ...EXPORT_CHOICES, format: formats,
    what: [...pictures.map(({ picture }) => picture), ...(draws(own) ? ["pack"] : [])] };
  /** @type {Record<string, string>} */
  const chosen = { ...choices, format };
  /** @param {string} name @param {string} value */
  function choose(name, value) {
    choices[name] = value;
    Object.assign(own, { saved: null, fault: null, copied: null });
    update();
  }
  const field = (/** @type {string} */ name) => html`
    <label ?hidden=${!uses[name] || (name === "format" && formats.length === 1)}><span>${t(`export_${name}`)}</span>
      <select data-export=${name} @change=${(/** @type {any} */ { target }) => choose(name, target.value)}>
        ${options(offered[name].map((value) => [value,
    t(`export_${name === "pictures" ? "format" : name}_${value}`)]), chosen[name])}</select></label>`;
  return html`
    <div class="export-fields">${Object.keys(offered).map(field)}
      ${PACK_CHECKS.map((name) => checksOf(own, name, uses[name], update))}</div>
    <p class="export-about">${t(`export_about_${format}`, { n })}</p>
    ${undrawn === null ? nothing : html`<p class="export-about">${t(`error_${undrawn}`)}</p>`}
    <div class="export-end">
      <p class="export-status${own.fault === null ? "" : " alarm"}" role="status">${statusOf(own)}</p>
      <button type="button" data-act="end-export" ?hidden=${busy === null} @click=${stop}>${t("export_stop")}</button>
      <button type="button" data-act="copy-picture" title=${t("export_copy_hint")} ?hidden=${!copies(own)} ?disabled=${busy !== null}
        @click=${copy}>${t("export_copy")}</button>
      <button type="button" class="primary" data-act="save" ?disabled=${busy !== null || (format === "zip" && n === 0)}
        @click=${keep}>${t("export_save")}</button></div>`;
}

/** A picture that the page draws itself, as a file; `scale` is that of a PNG. @param {Own} own @param {ReturnType<typeof fileRequestOf>} request */
async function pictureHere({ here, state }, request) {
  const { picture, view, format, look } = request;
  const computedBy = await here.computedBy();
  if (computedBy === null) return { error: state.message ?? { code: "network" } };
  const [drawn, drawing] = await Promise.all([here.picture(picture, look), here.drawing()]).catch(() => []);
  if (!drawn || !drawing) return { error: { code: "network" } };
  const signature = drawing.signatureOf(state, drawn.title, here.link(), computedBy);
  const name = nameHere({ picture, view, format }, state);
  if (format === "svg") return { name, type: "image/svg+xml", text: drawing.signedSvg(drawn.svg, signature) };
  const data = await drawing.pngOf(drawn, look.scale, signature);
  return data ? { name, type: "image/png", data } : { error: { code: "picture_large" } };
}

/**
 * Data or a page, without a server: made by what computes, or of what was recorded, before that is here.
 * @param {Own} own
 * @param {ReturnType<typeof fileRequestOf>} request
 * @param {AbortSignal} signal
 */
async function dataHere({ files, here, state }, request, signal) {
  const isOfPage = EXPORT_HERE.includes(request.format) && isHere(request.picture, state);
  if (files && !(isOfPage && state.worker?.phase !== "ready")) {
    return files({ export: request }, signal).catch(() => null);
  }
  const computedBy = await here.computedBy();
  return computedBy === null ? { error: state.message ?? { code: "network" } } : fileHere(request, state, computedBy);
}

/** Whether the picture can be put where the reader pastes it from. @param {Own} own */
const copies = ({ here, choices: { what } }) => here.holds(what) && typeof window.ClipboardItem === "function"
  && Boolean(navigator.clipboard?.write);

/** Puts the picture, as a PNG, where the reader can paste it from. @param {Own} own @param {function(): void} update */
async function copyPicture(own, update) {
  const busy = new AbortController();
  Object.assign(own, { busy, drawn: 0, of: 0, fault: null, saved: null, copied: null });
  update();
  const made = pictureHere(own, { ...fileRequestOf(own), format: "png" });
  // Some browsers let a page copy only at once, so what is copied is a promise.
  const png = made.then(({ data }) => (data ? new Blob([bytesFromBase64(data)], { type: "image/png" }) : Promise.reject()));
  const isCopied = await navigator.clipboard.write([new window.ClipboardItem({ "image/png": png })]).then(() => true, () => false);
  const { error = null } = await made;
  if (own.busy !== busy) return;
  Object.assign(own, { busy: null, fault: error, copied: isCopied && !error ? "export_copied" : "export_uncopied" });
  update();
}

/** Asks for the file, and saves it. @param {Own} own @param {function(): void} update */
async function keepFile(own, update) {
  const { transport } = own;
  const [request, busy, drawing] = [fileRequestOf(own), new AbortController(), Math.random().toString(36)];
  const isOver = () => own.busy !== busy;
  const of = request.format === "zip" ? countOfPack(own) : 0;
  Object.assign(own, { busy, drawn: 0, of, fault: null, saved: null, copied: null });
  update();
  /** @type {any} */
  let answer = null;
  if (PICTURES_HERE.includes(request.format) && own.here.holds(request.picture)) {
    answer = await pictureHere(own, request);
  } else if (transport) {
    watchStatus(transport, request.recipe.model, isOver, (status) => {
      own.drawn = status?.drawn ?? 0;
      update();
    }, drawing);
    answer = await answerInTurn((asked) => transport(asked, busy.signal), { export: request, drawing }, () => !isOver());
  } else answer = await dataHere(own, request, busy.signal);
  if (isOver()) return;
  const isSaved = answer && !answer.error && await saveFile(answer).catch(({ message }) => {
    answer.error = { code: "export", message }; // as the system says it
  });
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
  /** @param {typeof PACK_CHECKS[number]} name @param {{value: any, text: string}[]} offered @param {any} [only] */
  const tick = (name, offered, only) => {
    checks[name] = { offered, ticked: offered.map(({ value }) => value)
      .filter((value) => only === undefined || value === only) };
  };
  tick("sites", sitesOf(run).map((one) => ({ value: one, text: t(`site_${one}`) })), site);
  tick("layers", counted(run.layers), (shown.layer ?? run.layers[site] - 1) + 1);
  tick("heads", counted(run.heads));
  Object.assign(choices, { format: "png", scale: "2", size: "slide", palette: "colour",
    pictures: "png", theme: isDark ? "dark" : "light", ...choices, what: pictures[0].picture });
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {SheetPage} page
 */
export function makeExport(t, { state, actions }, { transport, files, look, choices, here }) {
  const none = { offered: [], ticked: [] };
  /** @type {Own} */
  const own = { t, state, transport, files, here, choices, pictures: [], busy: null, drawn: 0, of: 0, fault: null,
    saved: null, copied: null, checks: { sites: none, layers: none, heads: none } };
  const update = () => part.update();
  const acts = { update, keep: () => keepFile(own, update), copy: () => copyPicture(own, update), stop: () => stopFile(own, update) };
  /** @type {{element: HTMLDialogElement, update: function(): void}} */
  const part = makePart(() => dialog(t, "export", t("export"),
    own.pictures.length === 0 ? nothing : content(own, acts), { isBusy: own.busy !== null }));
  const { element } = part;

  function show() {
    if (element.open) {
      element.close();
      return;
    }
    if (!state.run) return;
    own.pictures = exportPictures(state, look())
      .filter(({ picture }) => transport || files || isHere(picture, state) || here.holds(picture));
    if (own.pictures.length === 0) { // of heads that were not measured, say
      actions.tell({ code: "alone" });
      return;
    }
    offer(own, getComputedStyle(element).colorScheme === "dark");
    Object.assign(own, { fault: null, saved: null, copied: null });
    update();
    element.showModal();
  }

  return { element, show, update };
}
