// The room Translate: steps, candidates, all heads of an attention, and one of them large.

import { elementOf, html } from "../../stage/page/html.js";
import { makeThumbBar } from "../../stage/reach/thumbbar.js";
import { shownHead } from "../../stage/run/view.js";
import { makeCandidates } from "./candidates/candidates.js";
import { makeMap } from "./map/map.js";
import { makePair } from "./pair/pair.js";
import { makeRowAsker } from "./map/rows.js";
import { makeSites } from "./heads/sites.js";

/**
 * @param {Words} t
 * @param {Session} session
 * @param {any} ask
 * @param {Redraw} redraw
 * @param {any} kept
 * @param {any} parts
 */
function makeTranslateRoom(t, session, ask, redraw, kept, { axes, pictures, playback, strips, whatIf }) {
  const { state } = session;
  const candidates = makeCandidates(t, session, ask, redraw);
  const sites = makeSites(t, session, redraw);
  const map = makeMap(t, session, redraw, whatIf, makeRowAsker(ask,
    () => session.actions.draw({ reading: "weights" })));
  const pair = makePair(t, session, ask, redraw, { strips, axes }, map.lookInside);
  const bar = makeThumbBar(t, session);
  const element = elementOf(html`
    <div class="stage-main">${map.element}${candidates.machine}${candidates.element}${sites.element}${bar.element}</div>`);
  return {
    element,
    withoutRun: true,
    order: sites.heads.order,
    candidates: candidates.shown,
    settle() {
      candidates.settle();
      if (!state.run) return;
      map.settle(shownHead(state));
      pair.settle();
    },
    /** @param {any} parts */
    update({ palette, unit }) {
      // Beside the sentences where they have a line to themselves: to begin to step moves nothing.
      const isWide = !element.closest(".narrow");
      if (state.room === "translate") playback.standIn(isWide ? strips.source.element.parentElement : element, isWide);
      playback.update();
      candidates.update(state.run ? axes().target : []);
      element.classList.toggle("mute", candidates.element.hidden);
      element.classList.toggle("drawing", !candidates.machine.hidden);
      sites.update(pictures, palette, unit, state.run ? axes() : null);
      if (!state.run) {
        map.update(null);
        pair.update(null, "", { palette, unit });
        return;
      }
      const shown = shownHead(state);
      const { rows, columns } = axes();
      map.update({ shown, labels: { rows, columns }, pictures, palette, unit,
        entropy: sites.heads.entropyOf(shown.layer, shown.head) });
      pair.update(map.isHere() ? map.frame() : null, map.sentence() ?? "", { palette, unit });
      bar.update(map.sentence());
    },
    pictured: (/** @type {string} */ picture) => state.more?.translatePicture(t, state, picture, { map, sites, candidates, pair, strips }) ?? null,
    destroy() {
      sites.destroy();
      map.destroy();
      pair.destroy();
    },
  };
}

export const room = { name: "translate", make: makeTranslateRoom, keep: { pictures: () => [] } };
