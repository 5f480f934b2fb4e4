// The stage of a page that a server gives: it has an address of its own.

import { makeAddress } from "./keep/address.js";
import { mountStage } from "./mount.js";

/** As mountStage, with a transport. */
export function mountServed(element, options, transport) {
  return mountStage(element, options, transport, makeAddress);
}
