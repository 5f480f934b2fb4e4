// Step after step: presses that wait for each other, and the playback.

const PLAY_MS = 700; // a step of the playback
const MOST_QUEUED = 64; // steps asked for while one is under way

/**
 * @param {{playing: boolean, busy: boolean}} state of the decoding; its `playing` changes
 * @param {{advance: function(): Promise<boolean>, canAdvance: function(): boolean,
 *     changed: function(): void}} how `advance` gives whether it went one step on
 */
export function makePlaying(state, { advance, canAdvance, changed }) {
  let queued = 0;
  let steps = 0; // numbers the calls of step()
  let stepping = 0; // the call under way, or 0
  let timer = 0;

  function stop() {
    clearTimeout(timer);
    if (!state.playing) return;
    state.playing = false;
    changed();
  }

  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (!state.playing) return;
      const went = state.busy || await advance();
      if (!state.playing) return;
      if (went && canAdvance()) schedule();
      else stop();
    }, PLAY_MS);
  }

  return {
    stop,
    /** Plays on from here. */
    start() {
      queued = 0;
      state.playing = true;
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
      if (stepping) {
        queued = Math.min(queued + 1, MOST_QUEUED);
        return;
      }
      const mine = ++steps;
      stepping = mine;
      let went = await advance();
      while (went && queued > 0 && stepping === mine) {
        queued -= 1;
        went = await advance();
      }
      if (stepping === mine) stepping = 0;
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
        stepping = 0;
        stop();
        return action(...values);
      };
    },
  };
}
