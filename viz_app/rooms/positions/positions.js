// The room Positions: what the model adds to say where a token stands, and what order does.

import { hide } from "../../stage/page/elements.js";
import { html, makePart } from "../../stage/page/html.js";
import { termed } from "../../stage/page/terms.js";
import { markAsking } from "../../stage/page/rooms.js";
import { makePositionOrder } from "./order/order.js";
import { makeWordTabs } from "./parts.js";
import { makePositionRotary } from "./rotary.js";
import { makePositionSum } from "./sum.js";
import { makePositionTable } from "./table.js";

const POSITION_VIEWS = ["table", "sum", "order", "rotary"];
const ASKS = ["sum", "order", "rotary"]; // those that say what to press
const LEADS = ["table_sinusoidal", "table_learned", "table_rotary", "table_relative", "sum", "order",
  "rotary"];

/** @type {MakeRoom} */
function makePositionsRoom(t, session, ask, redraw, before = null) {
  /** @type {Record<string, any>} */
  const views = {
    table: makePositionTable(t, session, ask, redraw, before?.table),
    sum: makePositionSum(t, session, ask, redraw, before?.sum),
    order: makePositionOrder(t, session, ask, redraw, before?.order),
    rotary: makePositionRotary(t, session, ask, redraw, before?.rotary),
  };
  let open = before?.open ?? "table";
  const tabs = makeWordTabs(t, "study", "views_of_room", "positions_view", POSITION_VIEWS, (name) => {
    open = name;
    redraw();
  });
  markAsking(tabs.element);
  /** How a table is read depends on its kind; of none there is nothing to say. */
  const leadNow = () => (open === "table" ? `table_${views.table.kind()}` : open);
  const { element, update } = makePart((shown = "") => html`
    <section class="positions" aria-label=${t("room_positions")}>
      <header class="room-top">${tabs.element}${LEADS.map((name) => html`
        <p class="positions-lead${ASKS.includes(name) ? " nudge" : ""}" ?hidden=${name !== shown}>${termed(t, `positions_lead_${name}`)}</p>`)}</header>
      ${POSITION_VIEWS.map((name) => views[name].element)}</section>`);
  return {
    element,
    settle: () => views[open].settle(),
    update({ palette, unit }) {
      tabs.update(open);
      for (const name of POSITION_VIEWS) hide(views[name].element, name !== open);
      update(leadNow());
      views[open].update({ palette, unit });
    },
    pictured: (picture) => views[open].pictured?.(picture) ?? null,
    here: () => views[open].here?.() ?? {},
    asks({ dataset: { study, kind, tableSide, side = tableSide } }) {
      return study ? views[study].asks({}) : kind || side ? views[open].asks({ kind, side }) : null;
    },
    keep: () => ({ open, ...Object.fromEntries(POSITION_VIEWS.map((name) =>
      [name, views[name].keep()])) }),
    destroy: () => POSITION_VIEWS.forEach((name) => views[name].destroy()),
  };
}

/** What can be kept of the room, the picture on the screen first. @param {State} state @param {any} view */
function positionsPictures(state, view) {
  if (view.study !== "table") return [{ picture: view.study, view }];
  const { dimensions, column } = view; // the marked one has its curve too
  const drawn = { ...view, dimensions: [...new Set([...dimensions, column])] };
  const isBias = state.model.anatomy.positions === "relative"
    && ["own", "relative"].includes(view.kind ?? "own");
  return ["positions", "curves", ...(isBias ? [] : ["similarity"])]
    .map((picture) => ({ picture, view: drawn }));
}

/**
 * What is chosen in the study on the screen, see view.py; each keeps its part of the view.
 * @param {any} values
 */
const positionsView = ({ open, ...studies }) => ({ study: open, ...studies[open] });
const positionsKept = ({ study = "table", ...own }) => ({ open: study, [study]: own });

export const room = { name: "positions", withoutSentences: true, make: makePositionsRoom,
  keep: { pictures: positionsPictures, view: positionsView, kept: positionsKept } };
