// When the stage is drawn: what a press changed when it ends, what was asked with its answer, what is typed
// a few times a second, and the rest with the next frame.

const PRESSES = ["click", "change", "keydown", "pointerdown"];
const PATIENCE_MS = 50; // for an answer, before anything else is drawn
const LETTERS_MS = 200; // for more letters; browsers show what is typed by themselves

/** Whether letters are typed there. @param {any} target */
const isText = ({ localName, type }) => localName === "textarea" || (localName === "input" && type === "text");

/**
 * @param {function(): void} settle asks what is needed for the state as it is
 * @param {function(): void} draw
 */
export function makeTurns(settle, draw) {
  /** @type {"" | "frame" | "press" | "letters" | "answer"} */
  let awaited = ""; // what the next draw waits for
  let frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let since = 0; // when the draw that waits was asked for
  let awaits = 0; // until when an answer is awaited

  function forget() {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    awaited = "";
  }

  function now() {
    forget();
    settle();
    draw();
  }

  // What has to be asked is asked first: if its answer comes soon, all is drawn once, and no frame before that one.
  function turn() {
    if (awaited === "") return;
    forget();
    settle();
    const left = Math.min(awaits, since + PATIENCE_MS) - performance.now();
    if (left <= 0) return draw();
    awaited = "answer";
    timer = setTimeout(turn, left);
  }

  return {
    now,
    isWaiting: () => awaited !== "",
    soon() {
      const isTyped = window.event?.type === "input" && isText(window.event.target);
      const isPress = PRESSES.includes(window.event?.type ?? "");
      const isOvertaken = isPress && (awaited === "frame" || awaited === "answer"); // by what is pressed now
      if (awaited !== "" && (isTyped || awaited !== "letters") && !isOvertaken) return;
      forget();
      if (!isOvertaken) since = performance.now();
      if (isTyped) {
        awaited = "letters";
        timer = setTimeout(now, LETTERS_MS);
      } else if (isPress) {
        awaited = "press";
        Promise.resolve().then(turn);
      } else {
        awaited = "frame";
        frame = requestAnimationFrame(turn);
      }
    },
    /** The same transport, whose answers are awaited. @param {Transport} transport @returns {Transport} */
    awaiting: (transport) => (request, signal, more) => {
      if (request.next !== undefined || request.status !== undefined) return transport(request);
      awaits = performance.now() + PATIENCE_MS;
      return transport(request, signal, more).finally(() => {
        awaits = 0;
        if (awaited !== "answer") return;
        clearTimeout(timer);
        timer = setTimeout(turn); // once who asked has it
      });
    },
    stop: forget,
  };
}
