// Links: a recipe and the view of it as the fragment of an address, and back. The twin of
// viz_app/link.py and link_fields.py, by the same table of fields; tests hold them against each
// other. Knows no page and no address.
//
// A link is somebody else's text: whatever is wrong with it is told by an error whose `told` is
// {code, values} for wordsOfError; nothing of it is ever a property name of an object.

import { countCharacters } from "../page/words.js";
import { SITES } from "../run/run.js";

const LINK_MARKS = { greedy: ".", sampled: "~", forced: "_", beam: "-" };
const LINK_HOW = new Map(Object.entries(LINK_MARKS).map(([how, mark]) => [mark, how]));
const LINK_WHOLE = /^(?:0|-?[1-9][0-9]{0,6})$/;
const LINK_NUMBER = /^(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,24})?$/;
const LINK_SEED = /^(?:0|[1-9][0-9]{0,15})$/;
export const LINK_DRAW = { kind: "greedy", temperature: 1, top_k: 0, top_p: 1, seed: 0 };

function linkFault(told) {
  return Object.assign(new Error(told.code), { told });
}

function brokenLink(name) {
  const plain = Array.from(name, (letter) => (letter < "\x80" ? letter : "?"));
  return linkFault({ code: "link_broken", values: { name: plain.slice(0, 20).join("") } });
}

/** A text, percent-encoded, or base64url after a "~" where that is shorter. */
function encodeLinkText(text) {
  const hex = (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  const legible = encodeURIComponent(text).replace(/[!'()*~]/g, hex).replaceAll("%20", "+");
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  const short = `~${btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  return legible.length <= short.length ? legible : short;
}

function decodeLinkText(written, name) {
  try {
    if (!written.startsWith("~")) {
      const text = decodeURIComponent(written.replaceAll("+", " "));
      encodeURIComponent(text); // refuses half of a character
      return text;
    }
    const coded = written.slice(1);
    if (!/^[0-9A-Za-z_-]*$/.test(coded)) throw brokenLink(name);
    const bytes = atob(coded.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
  } catch {
    throw brokenLink(name);
  }
}

/** A number without an exponent, as Python writes it for links. */
function plainNumber(number) {
  const [digits, power] = String(number).split("e-");
  if (power === undefined) return digits;
  return `0.${"0".repeat(Number(power) - 1)}${digits.replace(".", "")}`;
}

function encodeLinkValue(field, value) {
  const whole = (number) => String(number + field.counted_from);
  switch (field.kind) {
    case "whole": return whole(value);
    case "wholes": return value.map(whole).join(".");
    case "name":
    case "text":
    case "draft": return encodeLinkText(value);
    case "texts": return value.map((text) => encodeLinkText(text) || "~").join(",");
    case "tokens":
      return value.map(({ token, how }) => LINK_MARKS[how] + token.toString(36)).join("");
    case "sample": return value.map(plainNumber).join(",");
    default: return String(value);
  }
}

function decodeLinkValue(field, written, rules) {
  const fault = () => brokenLink(field.name);
  const whole = (digits) => {
    const value = Number(digits) - field.counted_from;
    if (!LINK_WHOLE.test(digits) || value < field.least || value > field.most) throw fault();
    return value;
  };
  const parts = (mark) => written.split(mark).filter((part) => part !== "");
  let value = null;
  switch (field.kind) {
    case "word":
      if (field.words.includes(written)) value = written;
      break;
    case "hex":
      if (/^[0-9a-f]{8,64}$/.test(written)) value = written;
      break;
    case "whole": return whole(written);
    case "wholes":
      value = parts(".").map(whole);
      if (value.length > field.many || (field.pair && value.length !== 2)) value = null;
      break;
    case "name": {
      const name = decodeLinkText(written, field.name);
      if (name !== "" && countCharacters(name) <= 200) value = name;
      break;
    }
    case "text": return decodeLinkText(written, field.name); // its length is the recipe's to check
    case "draft": {
      const text = decodeLinkText(written, field.name);
      if (countCharacters(text) <= rules.characters) value = text;
      break;
    }
    case "texts":
      value = parts(",").map((text) => decodeLinkText(text, field.name));
      if (value.length > field.many) value = null;
      else if (value.some((text) => countCharacters(text) > rules.characters)) value = null;
      break;
    case "tokens": {
      if (!/^(?:[.~_-][0-9a-z]{1,4})*$/.test(written)) break;
      value = (written.match(/[.~_-][0-9a-z]+/g) ?? []).map((one) =>
        ({ token: parseInt(one.slice(1), 36), how: LINK_HOW.get(one[0]) }));
      if (value.length > rules.tokens || value.some(({ token }) => token > 999999)) value = null;
      break;
    }
    case "sample": value = sampleOfLink(written.split(","));
  }
  if (value === null) throw fault();
  return value;
}

function sampleOfLink(parts) {
  if (parts.length !== 4 || !parts.slice(0, 3).every((part) => LINK_NUMBER.test(part))) return null;
  if (parts[1].includes(".") || !LINK_SEED.test(parts[3])) return null;
  const [temperature, topK, topP, seed] = parts.map(Number);
  const fits = temperature >= 0.01 && temperature <= 100 && topK <= 1000000 && topP > 0
    && topP <= 1 && Number.isSafeInteger(seed);
  return fits ? [temperature, topK, topP, seed] : null;
}

/**
 * The recipe and the view of a fragment.
 * @param {string} fragment what follows the # of an address
 * @param {{versions, limit, tokens, fields}} rules options.link
 * @param {?Object[]} models options.models; null: what depends on them is not checked
 * @returns {{recipe: Object, view: Object}} see read_link in viz_app/link.py
 */
export function readLink(fragment, rules, models) {
  const n = countCharacters(fragment);
  if (n > rules.limit) throw linkFault({ code: "link_long", values: { n, limit: rules.limit } });
  const [version, ...parts] = fragment.split("&");
  const since = rules.versions.indexOf(version) + 1;
  if (since === 0) {
    if (!/^v[0-9]{1,6}$/.test(version)) throw brokenLink(rules.versions.at(-1));
    throw linkFault({ code: "link_version", values: { version, known: rules.versions.join(", ") } });
  }
  const fields = new Map(rules.fields.filter((field) => field.since <= since)
    .map((field) => [field.name, field]));
  const values = new Map();
  for (const part of parts) {
    const [name] = part.split("=", 1);
    if (name === part || !fields.has(name) || values.has(name)) throw brokenLink(name);
    values.set(name, decodeLinkValue(fields.get(name), part.slice(name.length + 1), rules));
  }
  for (const name of ["model", "text"]) if (!values.has(name)) throw brokenLink(name);
  for (const field of rules.fields) {
    if (field.default !== null && !values.has(field.name)) values.set(field.name, field.default);
  }
  const link = assembleLink(values, rules);
  return models === null ? link : fitLink(link, models);
}

function assembleLink(values, rules) {
  const n = countCharacters(values.get("text"));
  if (n > rules.characters) {
    throw linkFault({ code: "characters", values: { n, limit: rules.characters } });
  }
  const recipe = { version: 1, model: values.get("model"), source: values.get("text"),
    target: values.get("target") ?? [], pads: values.get("pads"),
    strategy: strategyOfLink(values) };
  const view = { room: values.get("room"), view: values.get("view"),
    spelled: values.get("spelled") === "yes", order: values.get("order"), locks: {}, cells: {},
    choices: {}, to_end: !values.has("target"), stale: false };
  for (const name of ["weights", "site", "rows", "draft"]) {
    if (values.has(name)) view[name] = values.get(name);
  }
  if (values.has("step")) {
    view.at = values.get("step");
    if (!view.to_end && view.at > recipe.target.length) throw brokenLink("step");
  }
  for (const site of SITES) {
    if (values.has(site)) {
      const [layer, head] = values.get(site);
      view.locks[site] = { layer, head };
    }
    if (values.has(`cell.${site}`)) {
      const [query, key] = values.get(`cell.${site}`);
      view.cells[site] = { query, key };
    }
  }
  Object.assign(view, view.locks[view.site]);
  for (const [name, value] of values) {
    const [owner, choice] = name.split(".");
    if (choice === undefined || owner === "cell") continue;
    if (owner !== view.room) throw brokenLink(name);
    view.choices[choice] = value; // a name of the table, not of the link
  }
  return { recipe, view };
}

function strategyOfLink(values) {
  if (values.has("beam")) {
    if (values.has("sample")) throw brokenLink("beam");
    return { ...LINK_DRAW, kind: "beam", width: values.get("beam") };
  }
  if (!values.has("sample")) return LINK_DRAW;
  const [temperature, topK, topP, seed] = values.get("sample");
  return { kind: "sample", temperature, top_k: topK, top_p: topP, seed };
}

/** The link once it is known to fit one of the models; see read_link in viz_app/link.py. */
function fitLink({ recipe, view }, models) {
  const model = models.find(({ name }) => name === recipe.model);
  if (!model) {
    throw linkFault({ code: "link_model", values: {
      name: Array.from(recipe.model).slice(0, 40).join(""),
      known: models.map(({ name }) => name).join(", ") || "none" } });
  }
  if (view.weights !== undefined && view.weights !== model.fingerprint) {
    return { recipe: { ...recipe, target: [] }, view: { ...view, stale: true, to_end: true } };
  }
  for (const [site, { layer, head }] of Object.entries(view.locks)) {
    const part = site === "encoder" ? "encoder" : "decoder";
    const [layers, heads] = [model[`${part}_layers`], model[`${part}_heads`]];
    if (layer >= layers) {
      throw linkFault({ code: "link_layer", values: { n: layer + 1, limit: layers } });
    }
    if (head >= heads) {
      throw linkFault({ code: "link_head", values: { n: head + 1, limit: heads } });
    }
  }
  for (const { token } of recipe.target) {
    if (token >= model.vocabulary) {
      throw linkFault({ code: "token", values: { token, limit: model.vocabulary } });
    }
  }
  return { recipe, view };
}

/**
 * The fragment of a recipe and a view of it, however long; what no link can hold is left out.
 * @returns {string}
 */
export function writeLink(recipe, view, rules) {
  const { kind, temperature, top_k: topK, top_p: topP, seed, width } = recipe.strategy;
  const values = new Map(Object.entries({
    model: recipe.model,
    weights: view.weights,
    room: view.room,
    text: recipe.source,
    pads: recipe.pads,
    sample: kind === "sample" ? [temperature, topK, topP, seed] : null,
    beam: kind === "beam" ? width : null,
    target: view.to_end && recipe.target.length === 0 ? null : recipe.target,
    site: view.site,
    step: view.at,
    rows: view.rows,
    view: view.view,
    spelled: view.spelled ? "yes" : "no",
    order: view.order,
    draft: view.draft,
  }));
  for (const [site, { layer, head }] of Object.entries(view.locks ?? {})) {
    values.set(site, [layer, head]);
  }
  for (const [site, { query, key }] of Object.entries(view.cells ?? {})) {
    values.set(`cell.${site}`, [query, key]);
  }
  for (const [name, value] of Object.entries(view.choices ?? {})) {
    values.set(`${view.room}.${name}`, value);
  }
  let since = 1;
  const written = rules.fields.flatMap((field) => {
    const value = values.get(field.name) ?? null;
    if (value === null || value === field.default) return [];
    let text = "";
    try {
      text = encodeLinkValue(field, value); // refuses half of a character
      decodeLinkValue(field, text, rules);
    } catch {
      return [];
    }
    since = Math.max(since, field.since);
    return [`${field.name}=${text}`];
  });
  return [rules.versions[since - 1], ...written].join("&");
}
