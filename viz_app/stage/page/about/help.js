// How to read the page, what each room is for, and the keys.

import { make, makeSheet } from "../elements.js";
import { remembered } from "../../keep/remembered.js";

/** What a name means, line by line. @param {Array<[Array<Node|string>, string]>} lines */
const listOf = (lines) => make("dl", {}, lines.flatMap(([name, text]) =>
  [make("dt", {}, name), make("dd", { text })]));

/**
 * The sheet; on a phone it leaves out the keys.
 * @param {Words} t
 * @param {State} state
 */
export function makeHelp(t, { canAsk, rooms }) {
  const asking = ["first", "others", "undo", "off", "translate"];
  const keys = ["step", "head", "first", "others", "play", "ends", "undo", "cells", "grid",
    "off", "translate", "export", "list"].filter((name) => canAsk || !asking.includes(name));
  const lines = ["cells", "steps", ...(canAsk ? ["own"] : []), "words"];
  const element = makeSheet(t, "help", t("help"), [make("div", { class: "help-parts" }, [
    make("section", {}, [
      ...lines.map((name) => make("p", { text: t(`help_${name}`) })),
      listOf(rooms.map(({ name }) => [[t(`room_${name}`)], t(`room_${name}_hint`)])),
    ]),
    make("section", { class: "help-keys" }, [
      make("h4", { text: t("keys") }),
      listOf(keys.map((name) => [t(`key_${name}`).split(" ").map((key) =>
        make("kbd", { text: key })), t(`key_${name}_does`)])),
      makeShortcuts(t),
    ]),
  ])]);
  return { element, show: () => (element.open ? element.close() : element.showModal()) };
}

/** Whether a single character is a shortcut; remembered. @param {Words} t */
function makeShortcuts(t) {
  const box = make("input", { type: "checkbox", name: "shortcuts", on: {
    change: () => remembered("shortcuts", box.checked ? "yes" : "no"),
  } });
  box.checked = remembered("shortcuts") !== "no";
  return make("label", { class: "shortcuts" }, [box, make("span", { text: t("shortcuts") })]);
}
