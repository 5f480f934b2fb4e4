// Links: a recipe and the view of it as the fragment of an address. The page only writes them; the
// server reads every one, viz_app/links/link.py. Knows no page and no address.

import { UNSAID } from "../run/view.js";

/**
 * A value as the fields of its name have it: sentences one by one, numbers with dots between, a
 * recipe as a link of its own.
 * @param {any} value
 * @returns {string[]}
 */
function written(value) {
  if (typeof value === "object" && !Array.isArray(value)) return [writeLink(value, {})]; // a recipe
  if (!Array.isArray(value)) return [String(value)];
  return typeof value[0] === "string" ? value : [value.join(".")];
}

/**
 * The fields of the strategy; the greedy one needs none.
 * @param {any} strategy
 * @returns {Object<string, ?number>}
 */
function fieldsOfStrategy({ kind, temperature, top_k, top_p, seed, width }) {
  if (kind === "sample") return { temperature, top_k, top_p, seed };
  return kind === "beam" ? { beam: width } : {};
}

/**
 * How each token was chosen, by its first letter; one letter where it is the same for all.
 * @param {Choice[]} target
 */
function howsOf(target) {
  const letters = target.map(({ how = "forced" }) => how[0]);
  return new Set(letters).size > 1 ? letters.join("") : letters[0];
}

/**
 * A link that others can open: null where its address means the machine it is read on.
 * @param {?string} link
 * @returns {?string}
 */
export function publicLink(link) {
  if (link === null) return null;
  const { protocol, hostname } = new URL(link);
  const isHere = /^(localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/.test(hostname);
  return protocol.startsWith("http") && !isHere ? link : null;
}

/**
 * What a view says, by the names that it has in a link.
 * @param {Record<string, any>} view see run/view.js; `choices` is that of the open room
 * @returns {Record<string, any>}
 */
export function fieldsOfView({ room, lesson, site, layer, head, at, stepping, rows, view, by, reading, spelled, order, draft,
  locks = {}, cells = {}, choices = {} }) {
  /** @param {Record<string, any>} values @param {function(string, any): [string, any]} named */
  const fields = (values, named) => Object.fromEntries(Object.entries(values).map(([name, value]) => named(name, value)));
  return { room, lesson, site, layer, head, at, stepping, rows, view, by, reading, spelled, order, draft,
    ...fields(locks, (of, lock) => [of, [lock.layer, lock.head]]),
    ...fields(cells, (of, cell) => [`cell_${of}`, [cell.query, cell.key]]),
    ...fields(choices, (name, value) => [`${room}.${name}`, value]) };
}

/** Whether a field says something: what is left open or off does not. @param {any} value */
export const isFieldSaid = (value) => value !== null && value !== undefined && value !== false;

/**
 * The fragment of a recipe and a view of it, however long. Everything counts from 0.
 * @param {Recipe} recipe
 * @param {Record<string, any>} view as `fieldsOfView` takes it
 * @returns {string}
 */
export function writeLink(recipe, view) {
  const { model, source: text, pads, target, strategy = {}, settings = {}, edits = [] } = recipe;
  /** @type {Record<string, any>} */
  const fields = { v: 3, model, weights: view.weights, text, pads: pads || null,
    ...Object.fromEntries(Object.entries(settings).map(([name, said]) => [`set.${name}`, said])),
    edit: edits.length > 0 ? edits : null, ...fieldsOfStrategy(strategy), target: target.map(({ token }) => token),
    how: howsOf(target), ...fieldsOfView(view), [view.site]: null }; // its head is said already
  const link = new URLSearchParams();
  for (const [name, value] of Object.entries(fields).filter(([name, one]) => isFieldSaid(one) && one !== UNSAID[name])) {
    for (const one of written(value)) link.append(name, one);
  }
  return link.toString().replaceAll("*", "%2A"); // a star ends a link in some texts
}
