// Step after step: presses that wait for each other, and the playback.

const PLAY_MS = 700; // a step of the playback
const MOST_QUEUED = 64; // steps asked for while one is under way

/**
 * @param {{isAutoplaying: boolean, busy: boolean}} state of the decoding; its `isAutoplaying` changes
 * @param {{advance: function(): Promise<boolean>, canAdvance: function(): boolean,
 *     changed: function(): void}} how `advance` gives whether it went one step on
 */
export function makePlaying(state, { advance, canAdvance, changed }) {
  let queued = 0;
  let steps = 0; // numbers the calls of step()
  let underWay = 0; // the call that is, or 0
  let timer = 0;

  function stop() {
    clearTimeout(timer);
    if (!state.isAutoplaying) return;
    state.isAutoplaying = false;
    changed();
  }

  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (!state.isAutoplaying) return;
      const went = state.busy || await advance();
      if (!state.isAutoplaying) return;
      if (went && canAdvance()) schedule();
      else stop();
    }, PLAY_MS);
  }

  return {
    stop,
    /** Plays on from here. */
    start() {
      queued = 0;
      state.isAutoplaying = true;
      changed();
      schedule();
    },
    /** Forgets the presses that wait, and plays no further. */
    halt() {
      queued = 0;
      stop();
    },
    /** Steps on; presses while a step is under way are done one after the other. */
    async step() {
      stop();
      if (underWay) {
        queued = Math.min(queued + 1, MOST_QUEUED);
        return;
      }
      const mine = ++steps;
      underWay = mine;
      let went = await advance();
      while (went && queued > 0 && underWay === mine) {
        queued -= 1;
        went = await advance();
      }
      if (underWay === mine) underWay = 0;
    },
    /**
     * An action of the reader ends the playback and what was queued.
     * @template {any[]} Values
     * @template Result
     * @param {(...values: Values) => Result} action
     * @returns {(...values: Values) => Result}
     */
    byHand(action) {
      return (...values) => {
        queued = 0;
        underWay = 0;
        stop();
        return action(...values);
      };
    },
  };
}
