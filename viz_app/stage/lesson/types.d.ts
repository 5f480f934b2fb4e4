// The types that the scripts of the lessons name; what the server answers is as viz_app/lessons/playing.py
// makes it.

/** A sentence of a lesson: the name of a word, and what fills it. */
interface LessonWords {
  word: string;
  values?: Record<string, string | string[]>; // several are parted as the language does it
}

/** A place that a lesson points at; all is counted from 0. */
interface LessonPlace extends Place {
  kind: string; // row, column, cell, candidate, head, stage, control, part
  token?: number;
  step?: number; // of the way of a token
  name?: string;
}

interface LessonChoice {
  value: any;
  text?: string;
  word?: string;
}

interface LessonAsk {
  kind: "number" | "choice" | "cell" | "token";
  of: LessonChoice[];
  within: number | null;
  answer: any;
  shown: string;
}

interface LessonStep {
  id: string;
  link: string;
  cover: string[];
  point: LessonPlace[];
  proof: LessonPlace[]; // where to look once the step is done; none: where it points
  ask: LessonAsk | null;
  until: any; // see until.js
  says: Record<"say" | "ask" | "then" | "numbers" | "formula", LessonWords | null> & { hints: LessonWords[] };
}

type LessonTables = Record<string, Record<string, string>>; // by language and word

interface Lesson {
  name: string;
  title: string; // a word
  models: string[];
  model: string;
  steps: LessonStep[];
  words: LessonTables;
}

/** A lesson in the list. */
interface LessonEntry {
  name: string;
  title: string;
  about: string;
  minutes: number;
  models: string[];
  pages?: Record<string, string>; // of a site: where it is recorded, by model
}

/** The lessons there are, and the words of their list; `left`: how many more there would be if something computed. */
interface LessonMenu {
  lessons: LessonEntry[];
  words: LessonTables;
  left?: number;
}

/** What the reader did at a step. */
interface LessonNote {
  isOpen: boolean; // whether the answer is on the screen
  guess: any; // null: none
  isRefused: boolean; // what was typed is no number
  hints: number; // that were asked for
  depth: string | null; // the level below the story that is open
  isKept: boolean; // whether it was open already when the reader came
  isReached: boolean; // whether the page is, or was, where the step leads
  isMissed: boolean; // whether something else was done than the step asks for
}

/** What the lessons do with the page around them. */
interface LessonPage {
  root: HTMLElement;
  transport: Transport;
  /** As following a link does, within the page; `isNew`: whether Back leads to what was there. */
  follow(link: string, isNew: boolean): Promise<unknown>;
  /** Goes to the page of a site that has the lesson, where this one does not; whether it does. */
  leave(entry: LessonEntry, step: number): boolean;
  choices(): Record<string, any>; // the view of the open room
  isAtRest(): boolean; // whether all that the open room asked for is there
  // Where lessons can be made: what makes them, and the link of what is seen.
  making?: LaterParts["making"];
  link?: () => { text: string | null; problem: any };
  redraw: Redraw;
  ends: AbortSignal;
}
