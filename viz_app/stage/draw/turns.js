// When the stage is drawn: what a press changed when it ends, what was asked with its answer, what is typed
// a few times a second, and the rest with the next frame.

const PRESSES = ["click", "change", "keydown", "pointerdown"];
const PATIENCE_MS = 50; // for an answer, before anything else is drawn
const LETTERS_MS = 200; // for more letters; browsers show what is typed by themselves

/** Whether letters are typed there. @param {any} target */
const isText = ({ localName, type }) => localName === "textarea" || (localName === "input" && type === "text");

/** @param {function(): void} render */
export function makeTurns(render) {
  let waiting = 0; // the animation frame asked for, or 0; -1 for the end of a press, or of typing
  /** @type {?ReturnType<typeof setTimeout>} */
  let typing = null;
  let since = 0; // when the draw that waits was asked for
  let awaits = 0; // until when an answer is awaited

  function forget() {
    cancelAnimationFrame(waiting);
    clearTimeout(typing ?? undefined);
    [waiting, typing] = [0, null];
  }

  function now() {
    forget();
    render();
  }

  function nextFrame() {
    waiting = requestAnimationFrame(turn);
  }

  function turn() {
    if (waiting === 0) return;
    if (performance.now() < Math.min(awaits, since + PATIENCE_MS)) nextFrame();
    else now();
  }

  return {
    now,
    isWaiting: () => waiting !== 0,
    ask() {
      const isTyped = window.event?.type === "input" && isText(window.event.target);
      const isPress = PRESSES.includes(window.event?.type ?? "");
      const isOfFrame = waiting > 0; // what the pointer passed on its way to the press, say
      if (waiting !== 0 && (isTyped || typing === null) && !(isOfFrame && isPress)) return;
      forget();
      if (!isOfFrame) since = performance.now();
      if (isTyped) {
        waiting = -1;
        typing = setTimeout(now, LETTERS_MS);
      } else if (isPress) {
        waiting = -1;
        Promise.resolve().then(turn);
      } else nextFrame();
    },
    /** The same transport, whose answers are awaited. @param {Transport} transport @returns {Transport} */
    awaiting: (transport) => (request, signal, more) => {
      if (request.ahead || request.status !== undefined) return transport(request);
      awaits = performance.now() + PATIENCE_MS;
      return transport(request, signal, more).finally(() => { awaits = 0; });
    },
    stop: forget,
  };
}
