// What a link asks for that the page does not show. Pure: knows no page and no address.

import { fieldsOfView, isFieldSaid } from "./link.js";

/**
 * What a view says of what is seen, by the names that it has in a link.
 * @param {any} view
 * @returns {Record<string, string>}
 */
function namesOf({ lesson: _, draft: __, by: ___, choices: { spelled: ofRoom, ...choices } = /** @type {any} */ ({}), ...view }) {
  const fields = fieldsOfView({ ...view, spelled: view.spelled || ofRoom, choices }); // spelling is the page's
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isFieldSaid(value))
    .map(([name, value]) => [name, JSON.stringify(value)]));
}

/**
 * What a link asks for that is not on the screen, by its names there.
 * @param {any} asked the view that the link says
 * @param {any} now the view of the page
 */
export function unshown(asked, now) {
  const there = namesOf(now);
  return Object.entries(namesOf(asked)).filter(([name, value]) => there[name] !== value)
    .map(([name]) => name);
}
