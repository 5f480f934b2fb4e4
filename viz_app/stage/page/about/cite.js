// The tool that gives away what is on the screen: its link, and how to cite it as text and as
// BibTeX. Without an address of its own (a page from a file, a notebook) it only cites.

import { titleValues } from "../../../rooms/translate/map/map.js";
import { readingHere } from "../../../rooms/translate/map/readings.js";
import { publicLink } from "../../keep/link.js";
import { make, makeButton, makeSheet, makeTool, setText } from "../elements.js";
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
  const { layer, head } = locks[site];
  const reading = readingHere(state);
  const read = reading === "weights" ? "" : ` · ${t(`read_${reading}`)}`;
  return {
    version: options.product,
    name: model.name,
    weights: model.fingerprint,
    languages: titleOfModel(model, t),
    sentence: citedText(run.recipe.source),
    translation: citedText(run.text),
    place: room === "translate" ? `${t("cite_place", { ...titleValues({ site, layer, head }, t) })}${read}`
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
 * @param {?function(): {text: ?string, told: any}} link what to copy; null without an address
 * @returns {{button: HTMLElement, element: HTMLElement}}
 */
export function makeCite(t, { state }, link) {
  const status = make("p", { class: "cite-status", role: "status" });
  const name = t(link ? "link_tool" : "cite");

  /** A text that can be copied, by a button or by hand. @param {string} key @param {number} rows */
  function makeCopy(key, rows) {
    const field = make("textarea", { class: "cite-text", readonly: true, rows, spellcheck: "false",
      dir: "auto", wrap: key === "link" ? "off" : null, "aria-label": t(key),
      on: { focus: () => field.select() } });
    const copy = makeButton({ class: "plain", text: t("copy"), "aria-label": t(`copy_${key}`),
      data: { copy: key } }, () => give());
    async function give() {
      const copied = await copyText(field.value);
      if (!copied) field.focus();
      setText(status, t(copied ? `copied_${key}` : "copy_by_hand"));
    }
    return { give, field, copy, element: make("section", { data: { cite: key } }, [
      make("header", {}, [make("h4", { text: t(key) }), copy]), field]) };
  }

  const parts = { link: makeCopy("link", 1), text: makeCopy("cite_as_text", 5),
    bibtex: makeCopy("cite_as_bibtex", 9) };
  const none = make("p", { class: "cite-none" });
  const privacy = make("p", { class: "cite-hint", text: t("link_hint") });
  const element = makeSheet(t, "cite", name, [parts.link.element, none, privacy, parts.text.element,
    parts.bibtex.element, status]);
  const button = makeTool("link", name, show, t(link ? "link_tool_hint" : "cite_hint"));

  function show() {
    if (!state.run) return;
    const { text, told } = link ? link() : { text: null, told: null };
    const cited = citedOf(state, t);
    parts.link.element.hidden = text === null;
    privacy.hidden = text === null;
    none.hidden = told === null;
    setText(none, told ? t(told.key, told.values) : "");
    parts.link.field.value = text ?? "";
    parts.text.field.value = citeAsText(cited, publicLink(text), t);
    parts.bibtex.field.value = citeAsBibtex(cited, publicLink(text));
    setText(status, "");
    element.showModal();
    (text === null ? parts.text : parts.link).copy.focus();
    if (text !== null) parts.link.give();
  }

  return { button, element };
}
