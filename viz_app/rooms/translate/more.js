// What a press needs and the first picture does not: a page that a server answers fetches it after that
// picture, any other has it. It is `state.more`, and null until then.

import { makeAhead } from "../../stage/run/ahead.js";
import { LINES } from "../../stage/draw/lines.js";
import { unshown } from "../../stage/keep/unshown.js";
import { fillLines } from "../../stage/page/inputs/fill.js";
import { makeBeginning } from "../../stage/page/branches/beginning.js";
import { branchesShown } from "../../stage/page/branches/row.js";
import { isForeign, makeGuard } from "../../stage/page/about/guard.js";
import { settingFields } from "../../stage/page/inputs/fields.js";
import { LEAST_READ, unreadWords } from "../../stage/page/unread.js";
import { howUnsure, unsureWords } from "../../stage/page/unsure.js";
import { updatesOf } from "../../stage/page/updates.js";
import { whatIfPanel } from "../../stage/page/whatif/panel.js";
import { changedText, placeAfter, withBefore } from "../../stage/page/whatif/changed.js";
import { editGroups, groupLabel } from "../../stage/page/whatif/groups.js";
import { handOn } from "../../stage/reach/focus.js";
import { layOnPaper } from "../../stage/reach/paper.js";
import { makeMachine } from "./candidates/machine.js";
import { strategyPanel } from "./candidates/strategies.js";
import { makeDrawing } from "./heads/plan.js";
import { headSays, nameHeads } from "./heads/says.js";
import { translateKeep } from "./keep.js";
import { aboutReading } from "./map/about.js";
import { comingOf } from "./map/coming.js";
import { makeOff } from "./map/off.js";
import { makeTable } from "./map/table.js";
import { makeAssembly } from "./pair/assembly.js";
import { charactersSaid } from "./pair/characters.js";
import { giveRoom } from "./pair/over.js";
import { neededBy, neededSaid } from "./pair/needed.js";
import { translatePicture } from "./pictured.js";

export const more = { aboutReading, changedText, branchesShown, charactersSaid, giveRoom, updatesOf, editGroups, fillLines, groupLabel, handOn, headSays, howUnsure, isForeign, nameHeads, keep: translateKeep, layOnPaper, LEAST_READ, LINES, makeAhead,
  makeAssembly, makeBeginning, makeOff, makeDrawing, makeGuard, makeMachine, makeTable, settingFields, strategyPanel, unreadWords, unshown, unsureWords, whatIfPanel, comingOf,
  neededBy, neededSaid, placeAfter, translatePicture, withBefore };
