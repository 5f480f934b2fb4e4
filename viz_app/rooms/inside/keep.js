// What can be kept of the room Inside a head: its pictures, and what a link says of it.

import { placeOf } from "../../stage/keep/tables.js";

function insidePictures(state, { view, place, stages }) {
  const { site } = state;
  const { query, key } = state.cells[site] ?? { query: 0, key: 0 };
  const cell = { view: "cell", ...placeOf(state, site), query, key };
  const { side, position } = place
    ?? { side: site === "encoder" ? "source" : "target", position: query };
  const cells = ["head", "output"].map((picture) => ({ picture, view: cell }));
  const way = { picture: "way", view: { view: "way", side, position,
    ...(stages?.places ? { unfolded: stages.places } : {}) } };
  return view === "way" ? [way, ...cells] : [...cells, way];
}

/** What the room begins with, from a view. */
const insideKept = ({ view = "cell", side, position, unfolded: places = null }) =>
  ({ view, place: side && position !== undefined ? { side, position } : null, stages: { places } });

const insideLink = {
  choices: ({ view, place, stages }) =>
    ({ view, ...place, unfolded: view === "way" ? stages.places : null }),
  kept: insideKept,
};

export const insideKeep = { pictures: insidePictures, kept: insideKept, link: insideLink };
