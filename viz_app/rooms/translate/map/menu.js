// Which numbers the large map shows, and the sentence on what these can and cannot say.

import { hide, make, setText, setTrait } from "../../../stage/page/elements.js";
import { CHOICES } from "../../../stage/choices.js";
import { lacksReading, readingHere } from "../../../stage/run/readings.js";

/** The key of the sentence about a reading at a site. @param {string} reading @param {Site} site */
const aboutReading = (reading, site) =>
  `read_about_${reading}${reading === "rollout" && site === "cross" ? "_cross" : ""}`;

/** @param {Words} t @param {Session} session */
export function makeReadingMenu(t, { state, actions }) {
  const options = CHOICES.reading.map((value) => make("option", { value, text: t(`read_${value}`) }));
  /** @type {HTMLSelectElement} */
  const select = make("select", { class: "order reading-menu", "aria-label": t("read"), on: {
    change: () => actions.draw({ reading: select.value }),
  } }, options);
  const about = make("p", { class: "reading-about", hidden: true });
  return {
    element: make("label", { class: "reading-shown" }, [make("span", { text: t("read_shown") }), select]),
    about,
    /** After a change, where there is a run. */
    update() {
      const here = readingHere(state);
      CHOICES.reading.forEach((reading, i) => {
        const lacks = lacksReading(state, reading);
        options[i].disabled = lacks !== null;
        setTrait(options[i], "title",
          t(lacks === null ? aboutReading(reading, state.site) : `read_lacks_${lacks}`));
      });
      if (select.value !== here) select.value = here;
      setTrait(select, "title", t(aboutReading(here, state.site)));
      // What was chosen is not there for this site: that is said, not only shown.
      const lacks = lacksReading(state, state.reading);
      hide(about, here === "weights" && lacks === null);
      setText(about, about.hidden ? ""
        : t(lacks === null ? aboutReading(here, state.site) : `read_lacks_${lacks}`));
    },
  };
}
