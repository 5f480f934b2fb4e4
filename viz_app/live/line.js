// What waits to be answered, in which order: what a person waits for with a finger on a key comes first.

/** @typedef {Record<string, any>} Request a request of the stage, see Backend.answer */
/** @typedef {{ id: number | string, request: Request }} Waiting */

const LONG = ["beam", "masks"]; // rooms that compute many passes

/** How late the kind of a request comes: steps before translations, these before rooms, those that compute longest
 * behind, and what is asked ahead of a person last.
 * @param {Request} request @returns {number} */
function lateness(request) {
  if ("next" in request) return 5;
  if (request.room) return LONG.includes(request.room) || request.reading === "hidden" ? 4 : 3;
  return request.extend === 1 || typeof request.force === "number" ? 1 : 2;
}

/** Requests that wait. */
export class Line {
  constructor() {
    /** @type {Waiting[]} */
    this.waiting = [];
  }

  /** @param {Waiting} one */
  add(one) {
    this.waiting.push(one);
  }

  /** Take a request out of the line.
   * @param {Waiting["id"]} id */
  drop(id) {
    this.waiting = this.waiting.filter((one) => one.id !== id);
  }

  /** The next one, which leaves the line; of one kind the first that came. */
  take() {
    const [first] = [...this.waiting].sort((one, other) => lateness(one.request) - lateness(other.request));
    if (first) this.waiting.splice(this.waiting.indexOf(first), 1);
    return first;
  }
}
