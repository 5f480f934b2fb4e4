// What a link asks for that the page does not show. Pure: knows no page and no address.

/**
 * What a view says, by the names that it has in a link; what is left open or off says nothing.
 * @param {any} view as `writeLink` takes it
 * @returns {Record<string, string>}
 */
function namesOf({ room, locks = {}, cells = {}, choices = {}, site, layer, head, at, stepping, rows, view, reading,
  spelled, order }) {
  const { spelled: ofRoom, ...own } = choices; // which is the page's
  const said = { room, site, layer, head, at, stepping, rows, view, reading, spelled: spelled || ofRoom, order,
    ...Object.fromEntries(Object.entries(locks).map(([of, lock]) => [of, [lock.layer, lock.head]])),
    ...Object.fromEntries(Object.entries(cells).map(([of, cell]) => [`cell_${of}`, [cell.query, cell.key]])),
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [`${room}.${name}`, value])) };
  return Object.fromEntries(Object.entries(said)
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
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
