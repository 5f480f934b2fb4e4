// Asking the server. Of a question only what was asked last counts; answers are kept while there is
// room for them; what found no place in line is asked once more, and what was refused once its
// message is closed.

const SLOW_MS = 150; // an answer that takes longer dims the old picture
const LONGEST_WAIT = 30; // seconds, for a place in line: as long as a server says at most
const RETRY_CODES = ["busy", "connections", "pictures_busy"];
const MOST_BYTES = 3e6; // of the answers of all rooms: some twenty of them
const WATCH_MS = 400; // until it is asked what is waited for; half as long again each time
const LONGEST_WATCH_MS = 2000;

/**
 * What becomes of a question: not asked yet; asked, and slow; answered, or not.
 * @typedef {"none" | "asked" | "slow" | "ready" | "failed"} Asked
 * @typedef {ReturnType<typeof makeAnswers>} Answers
 * @typedef {ReturnType<typeof makeWaits>} Waits
 * @typedef {ReturnType<typeof makeQuestion>} Question
 */

/** Whether an answer is awaited. @param {Asked} state */
export const isOpen = (state) => state === "asked" || state === "slow";

/** About how many bytes an answer takes; its arrays are texts. @param {any} value @returns {number} */
export function weightOf(value) {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + weightOf(one), 0);
}

/** Answers by what they answer; those that were used longest ago go first. @param {number} most bytes */
export function makeAnswers(most = MOST_BYTES) {
  /** @type {Map<string, {answer: any, bytes: number}>} */
  const held = new Map();
  let bytes = 0;
  /** @param {string} key */
  function drop(key) {
    bytes -= held.get(key)?.bytes ?? 0;
    held.delete(key);
  }
  return {
    /** @param {string} key @returns {any} null where it is not here */
    of(key) {
      const one = held.get(key);
      if (!one) return null;
      held.delete(key);
      held.set(key, one);
      return one.answer;
    },
    /** @param {string} key @param {any} answer */
    keep(key, answer) {
      drop(key);
      const weight = weightOf(answer);
      held.set(key, { answer, bytes: weight });
      bytes += weight;
      for (const oldest of held.keys()) {
        if (bytes <= most) break;
        drop(oldest);
      }
    },
    /** Forgets answers that are no use any more. @param {function(any): boolean} isStale */
    forget(isStale) {
      for (const [key, { answer }] of held) if (isStale(answer)) drop(key);
    },
  };
}

/**
 * What the server answers; where it does not, or not as it should, an error.
 * @param {Transport} transport
 * @param {any} request
 * @param {AbortSignal} [stale] when nobody waits for it any more
 */
export async function answerTo(transport, request, stale) {
  try {
    return await transport(request, undefined, { stale }) ?? { error: { code: "network" } };
  } catch {
    return { error: { code: "network" } }; // a host that lost its server may also answer nothing
  }
}

/**
 * The same; where there was no place in line, asked once more when the server says or up to half
 * as long again after that, so that a crowd does not come back as one; unless nobody wants it.
 * @param {Transport} transport
 * @param {any} request
 * @param {function(): boolean} isWanted
 * @param {AbortSignal} [stale]
 */
export async function answerInTurn(transport, request, isWanted, stale) {
  const answer = await answerTo(transport, request, stale);
  if (!RETRY_CODES.includes(answer?.error?.code)) return answer;
  const seconds = Math.min(answer.error.values?.seconds ?? 1, LONGEST_WAIT);
  await new Promise((resolve) => { setTimeout(resolve, 1000 * seconds * (1 + Math.random() / 2)); });
  return isWanted() ? answerTo(transport, request, stale) : answer;
}

/**
 * Asks the server the same ever less often.
 * @param {Transport} transport
 * @param {any} request
 * @param {function(): boolean} isOver whether nobody waits any more
 * @param {function(any): void} show called with every answer that is another one
 */
export async function watchAnswers(transport, request, isOver, show) {
  let [wait, shown] = [WATCH_MS, ""];
  const pause = () => new Promise((resolve) => {
    setTimeout(resolve, wait);
    wait = Math.min(1.5 * wait, LONGEST_WATCH_MS);
  });
  await pause();
  while (!isOver()) {
    const answer = await answerTo(transport, request);
    if (isOver()) return;
    const said = JSON.stringify(answer);
    if (said !== shown) show(answer);
    shown = said;
    await pause();
  }
}

/**
 * Asks what the answers of a model wait for; of the file `drawing` also how many of its pictures are drawn.
 * @param {Transport} transport
 * @param {string} model by name
 * @param {function(): boolean} isOver whether nobody waits any more
 * @param {function(?Status): void} show called with every answer that is another one
 * @param {string} [drawing]
 */
export const watchStatus = (transport, model, isOver, show, drawing) =>
  watchAnswers(transport, { status: model, drawing }, isOver, ({ status = null }) => show(status));

/**
 * Watches what slow questions wait for, however many there are: of the last of them.
 * @param {function(?Status): void} show called with null when nothing is awaited any more
 * @returns {function(Transport, string): function(): void} begins to wait for an answer of a model;
 *     what it gives ends that
 */
export function makeWaits(show) {
  /** @typedef {{model: string}} Wait */
  /** @type {Wait[]} */
  let open = [];
  /** @type {?Wait} */
  let watched = null;
  /** @param {Transport} transport */
  function watch(transport) {
    const last = /** @type {Wait} */ (open.at(-1));
    if (watched?.model === last.model) return;
    watched = last;
    watchStatus(transport, last.model, () => watched !== last, show);
  }
  return (transport, model) => {
    const mine = { model };
    open.push(mine);
    watch(transport);
    return () => {
      open = open.filter((one) => one !== mine);
      if (open.length > 0) return watch(transport);
      watched = null;
      show(null);
    };
  };
}

/**
 * A question. Every answer goes to `settle`, also one that is already here. Where the server chose a
 * part of the request itself, `settle` returns the whole request, and the answer is kept under it too.
 * @param {Object} how
 * @param {Transport} how.transport
 * @param {Waits} how.waits
 * @param {?Answers} [how.answers] those that are kept; null: none are
 * @param {string} [how.name] what answers of this question are kept under, beside the request
 * @param {function(any): any} [how.check] makes of an answer what it is worth: itself, or an error
 * @param {function(any, any): any} [how.settle] called with an answer and its request
 * @param {function(Asked, ?any): void} [how.show] called when the state is another, with what arrived
 * @param {function(): void} [how.changed] called at the end, when an answer came from the server
 * @param {function(): boolean} [how.mayRetry] whether what failed is asked again
 * @param {number} [how.after] milliseconds without a further change before the server is asked
 */
export function makeQuestion({ transport, waits, answers = null, name = "", check = (answer) => answer,
  settle = () => {}, show = () => {}, changed = () => {}, mayRetry = () => true, after = 0 }) {
  let [key, ticket] = ["", 0];
  /** @type {Asked} */
  let state = "none";
  /** @type {any} */
  let last = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let endWait = () => {};
  let stale = new AbortController();

  const keyIn = (/** @type {string} */ one) => `${name} ${one}`;

  /** @param {Asked} next @param {any} [arrived] */
  function become(next, arrived = null) {
    state = next;
    show(next, arrived);
  }

  /** Nothing that is under way counts any more. */
  function overtake() {
    clearTimeout(timer);
    endWait();
    endWait = () => {};
    stale.abort();
    stale = new AbortController();
    ticket += 1;
  }

  /** @param {any} answer @param {any} request */
  function take(answer, request) {
    last = answer;
    const whole = settle(answer, request);
    if (whole) {
      key = JSON.stringify(whole);
      answers?.keep(keyIn(key), answer);
    }
    become("ready", answer);
  }

  /** @param {any} request @param {string} model */
  async function send(request, model) {
    const [mine, asked, { signal }] = [ticket, key, stale];
    timer = setTimeout(() => {
      become("slow");
      endWait = waits(transport, model);
    }, SLOW_MS);
    const arrived = check(await answerInTurn(transport, request, () => mine === ticket, signal));
    if (!arrived.error) answers?.keep(keyIn(asked), arrived); // one that is overtaken too
    if (mine !== ticket) return null;
    overtake();
    if (arrived.error) become("failed", arrived);
    else take(arrived, request);
    changed();
    return arrived;
  }

  return {
    state: () => state,
    isOpen: () => isOpen(state),
    /** The last answer; it stays while another is awaited. @returns {any} */
    answer: () => last,
    /** What was asked last. */
    key: () => key,
    /** Whether this was asked last and is answered. @param {any} request @param {string} [of] */
    has: (request, of = JSON.stringify(request)) => state === "ready" && key === of,
    /** Whether its answer is here. @param {any} request */
    isHere(request) {
      const of = JSON.stringify(request);
      return (state === "ready" && key === of) || Boolean(answers?.of(keyIn(of)));
    },
    /**
     * The answer to a request, where it is here; else null, and it is asked.
     * @param {any} request
     * @param {string} [of] what identifies it
     */
    of(request, of = JSON.stringify(request)) {
      if (of === key && state === "ready") return last;
      if (of === key && (isOpen(state) || !mayRetry())) return null;
      overtake();
      key = of;
      const here = answers?.of(keyIn(key)) ?? null;
      if (here) {
        take(here, request);
        return last;
      }
      become("asked");
      if (after) timer = setTimeout(() => send(request, request.recipe.model), after);
      else send(request, request.recipe.model);
      return null;
    },
    /**
     * Asks in any case; resolves to what arrives, or to null where another question overtook it.
     * @param {any} request
     * @param {string} model what it is about, by name
     */
    ask(request, model) {
      overtake();
      become("asked");
      return send(request, model);
    },
    /** Forgets all; it is asked anew. */
    forget() {
      overtake();
      [key, last] = ["", null];
      if (state !== "none") become("none");
    },
    /** Forgets what is under way. */
    drop() {
      overtake();
      if (isOpen(state)) become("none");
    },
  };
}
