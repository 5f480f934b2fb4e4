// Giving away what is on the screen: its link, and how to cite it as text and as
// BibTeX; the link also as a QR code, for a class. Without an address of its own (a page from a file, a notebook) it only cites.

import { placeOfHead } from "../../draw/labels.js";
import { readingHere } from "../../run/readings.js";
import { publicLink } from "../../keep/link.js";
import { html, makePart, nothing } from "../html.js";
import { dialog } from "../dialog.js";
import { titleOfModel } from "../words.js";

const CITED_CHARACTERS = 160; // of the sentence

/** One line, cut to what a citation bears. @param {string} text */
function citedText(text) {
  const letters = Array.from(text.replace(/\s+/g, " ").trim());
  if (letters.length <= CITED_CHARACTERS) return letters.join("");
  return `${letters.slice(0, CITED_CHARACTERS - 1).join("")}…`;
}

/** A text as TeX reads it: no letter of it is a command. @param {string} text */
function texOf(text) {
  /** @type {Record<string, string>} */
  const spelled = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}" };
  return text.replace(/[\\~^{}$&#_%]/g, (letter) => spelled[letter] ?? `\\${letter}`);
}

function today() {
  const now = new Date();
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** What a citation names of the session. @param {State} state @param {Words} t */
function citedOf(state, t) {
  const { options, model, run, room, site, locks } = state;
  const reading = readingHere(state);
  const read = reading === "weights" ? "" : ` · ${t(`read_${reading}`)}`;
  return {
    version: options.product,
    name: model.name,
    weights: model.fingerprint,
    languages: titleOfModel(model, t),
    sentence: citedText(run.recipe.source),
    translation: citedText(run.text),
    place: room === "translate" ? `${placeOfHead(t, { site, ...locks[site] })}${read}`
      : t("cite_room", { room: t(`room_${room}`) }),
    date: today(),
  };
}

/** @param {ReturnType<typeof citedOf>} cited @param {?string} link @param {Words} t */
function citeAsText(cited, link, t) {
  const parts = ["cite_program", "cite_model", "cite_sentence"].map((key) => t(key, cited));
  return [...parts, cited.place, t("cite_accessed", cited), ...(link ? [link] : [])]
    .join(t("parts_between"));
}

/** @param {ReturnType<typeof citedOf>} cited @param {?string} link */
function citeAsBibtex({ version, name, weights, sentence, date }, link) {
  const key = `attention-visualiser-${name}-${weights}`.replace(/[^A-Za-z0-9-]/g, "");
  const fields = [
    ["title", "{Attention Visualiser}"],
    ["howpublished", `Computer program, version ${version}`],
    ["note", `Model ${texOf(name)} (weights ${weights}); sentence: \`\`${texOf(sentence)}''; `
      + `accessed ${date}`],
    ["year", date.slice(0, 4)],
    ...(link ? [["url", link]] : []),
    ["urldate", date],
  ];
  const lines = fields.map(([field, value]) => `  ${field} = {${value}}`);
  return `@misc{${key},\n${lines.join(",\n")}\n}`;
}

/** Puts a text where the reader can paste it from; gives whether that was allowed. @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or a page that is not secure
  }
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {SheetPage} page
 */
export function makeCite(t, { state }, { link, drawing }) {
  const name = t(link ? "link_tool" : "cite");
  /** @type {{link: ?string, text: string, bibtex: string, problem: any, status: string, code: ?ReturnType<PictureTools["drawnCode"]>}} */
  const own = { link: null, text: "", bibtex: "", problem: null, status: "", code: null };

  /** Shows the link as a code, or no longer. */
  async function toggleCode() {
    const { link: said } = own;
    if (own.code !== null || said === null) own.code = null;
    else {
      const tools = await drawing().catch(() => null);
      const modules = tools?.qrCodeOf(said);
      own.code = tools && modules ? tools.drawnCode(modules) : null;
      own.status = modules ? "" : t(tools ? "link_code_long" : "link_code_failed");
    }
    update();
    if (own.code) element.querySelector(".cite-code")?.scrollIntoView({ block: "nearest" });
  }

  /** The code of the link, and what it is good for. @param {NonNullable<typeof own["code"]>} code */
  const codeShown = ({ path, side }) => html`
    <figure class="cite-code">
      <svg viewBox="0 0 ${side} ${side}" role="img" aria-label=${t("link_code_label")} shape-rendering="crispEdges">
        <path d=${path}></path></svg>
      <figcaption>${t(publicLink(own.link) === null ? "link_code_alone" : "link_code_scan")}</figcaption></figure>`;

  /** @param {"link" | "text" | "bibtex"} part @param {string} key */
  async function copy(part, key) {
    const isCopied = await copyText(own[part] ?? "");
    if (!isCopied) /** @type {?HTMLElement} */ (element.querySelector(`[data-cite=${key}] textarea`))?.focus();
    own.status = t(isCopied ? `copied_${key}` : "copy_by_hand");
    update();
  }

  /** A text that can be copied, by a button or by hand. @param {"link" | "text" | "bibtex"} part @param {string} key @param {number} rows */
  const copied = (part, key, rows) => html`
    <section data-cite=${key} ?hidden=${own[part] === null}>
      <header><h4>${t(key)}</h4>
        ${key !== "link" ? nothing : html`<button type="button" class="plain" data-act="code" title=${t("link_code_hint")}
          aria-expanded=${own.code !== null} @click=${toggleCode}>${t(own.code ? "link_code_hide" : "link_code")}</button>`}
        <button type="button" class="plain" aria-label=${t(`copy_${key}`)} data-copy=${key}
          @click=${() => copy(part, key)}>${t("copy")}</button></header>
      <textarea class="cite-text" readonly rows=${rows} spellcheck="false" dir="auto" wrap=${key === "link" ? "off" : nothing}
        aria-label=${t(key)} .value=${own[part] ?? ""} @focus=${(/** @type {any} */ { target }) => target.select()}></textarea>
    </section>`;

  /** @type {{element: HTMLDialogElement, update: function(): void}} */
  const { element, update } = makePart(() => dialog(t, "cite", name, html`
    ${copied("link", "link", 1)}
    ${own.code ? codeShown(own.code) : nothing}
    <p class="cite-none" ?hidden=${own.problem === null}>${own.problem && t(own.problem.key, own.problem.values)}</p>
    <p class="cite-hint" ?hidden=${own.link === null}>${t("link_hint")}${state.model.group === "imported"
      ? ` ${t("link_own", { name: state.model.name })}` : ""}</p>
    ${copied("text", "cite_as_text", 5)}
    ${copied("bibtex", "cite_as_bibtex", 9)}
    <p class="cite-status" role="status">${own.status}</p>`));

  function show() {
    if (!state.run) return;
    const { text, problem } = link ? link() : { text: null, problem: null };
    const cited = citedOf(state, t);
    Object.assign(own, { link: text, problem, code: null, text: citeAsText(cited, publicLink(text), t),
      bibtex: citeAsBibtex(cited, publicLink(text)), status: "" });
    update();
    element.showModal();
    /** @type {?HTMLElement} */ (element.querySelector(`[data-copy=${text === null ? "cite_as_text" : "link"}]`))?.focus();
    if (text !== null) copy("link", "link");
  }

  return { element, show };
}
