// Which numbers the large map shows, and the sentence on what these can and cannot say.

import { hide, make, setText, setTrait } from "../../../stage/page/elements.js";
import { CHOICES } from "../../../stage/choices.js";
import { lacksReading, readingHere } from "../../../stage/run/readings.js";

/** @param {Words} t @param {Session} session */
export function makeReadingMenu(t, { state, actions }) {
  const options = CHOICES.reading.map((value) => make("option", { value, text: t(`read_${value}`) }));
  /** @type {HTMLSelectElement} */
  const select = make("select", { class: "order reading-menu", "aria-label": t("read"), on: {
    change: () => actions.draw({ reading: select.value }),
  } }, options);
  const about = make("p", { class: "reading-about", hidden: true });
  const say = (/** @type {string} */ reading) => state.more?.aboutReading(t, state, reading) ?? null;
  return {
    element: make("label", { class: "reading-shown" }, [make("span", { text: t("read_shown") }), select]),
    about,
    /** After a change, where there is a run. */
    update() {
      const here = readingHere(state);
      CHOICES.reading.forEach((reading, i) => {
        options[i].disabled = lacksReading(state, reading) !== null;
        setTrait(options[i], "title", say(reading));
      });
      if (select.value !== here) select.value = here;
      setTrait(select, "title", say(here));
      // What was chosen is not there for this site: that is said, not only shown.
      hide(about, here === "weights" && here === state.reading);
      setText(about, about.hidden ? "" : say(state.reading) ?? "");
    },
  };
}
