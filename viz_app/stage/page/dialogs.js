// What opens over the page, and the box that explains a term: one value, which a page that a server answers fetches when it
// rests, or when one of them is asked for.

import { makeCard } from "./about/card.js";
import { makeCite } from "./about/cite.js";
import { makeHelp } from "./about/help.js";
import { makeExport } from "../keep/export.js";
import { makeGlossary } from "./glossary.js";

export const dialogs = {
  make: { card: makeCard, cite: makeCite, export: makeExport, help: makeHelp },
  makeGlossary,
};
