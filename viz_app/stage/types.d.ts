// The types that the comments of the scripts name, beside those of what the server sends, which are in
// answers.d.ts. Read by tsc alone; no page ever gets this file.

type Site = "encoder" | "decoder" | "cross";

/** A place in a head's weights, counted from 0. */
interface Cell {
  query: number;
  key: number;
}

interface Head {
  layer: number;
  head: number;
}

/** One address of what is seen: an attention, a head of it, a query and a key of that; draw/place.js. */
interface Place extends Partial<Head> {
  site?: Site;
  query?: number | null;
  key?: number | null;
}

/** What a masked language model expects in place of a token of the source. */
type Masked = NonNullable<Payload["masked"]>[number];

/** What a model says of itself that not every one does. */
interface Model {
  closed?: boolean; // nobody has opened it yet: what it has is not known
  title?: string;
}

/** An attention of a model. */
type SiteShape = Anatomy["sites"][number];

/** Of an answer that the visitor's browser computed: by what, as files name it. */
interface Payload {
  by?: string;
}

/** Everything the browser holds of one recipe: run/run.js. What it has of a payload is as there, all steps from the first
 * on; of a run that was cut, the roles are as when they were asked for, and nothing is the highlight. */
interface Run extends Pick<Payload, "recipe" | "source" | "target" | "prompt" | "chosen" | "steps" | "finished" | "text"
  | "roles" | "highlight"> {
  by?: string; // likewise
  readsWhole: boolean; // a later token changes the rows before it; each is that of its own step
  masked: Masked[];
  anatomy: Anatomy; // of its model
  layers: Record<Site, number>; // how many
  heads: Record<Site, number>;
  blocks: Record<Site, any>; // all rows in one [L,H,Q,K]; where a row is a step, one [L,H,K] per step
  best: Record<Site, number[][][]>; // where all rows are there at once: by layer and head, [query, key] to open on
  /** Of a large decoding the small pictures and the measures of all heads; null where all rows are here. */
  summed: Record<Site, { cells: Uint8Array; height: number; width: number;
    measures: Float32Array }> | null;
  held: Map<string, any>; // what was asked for or made of it: by `rowsKey` rows of heads; other readings, see readings.js
  capacity: number; // rows the pictures reserve, so that a growing target does not rescale them
  kept: number; // steps that are the same as in the run before; 0: nothing is
}

/** A token or a number at the edge of a heat map; `lead`: what it follows from, said before it. */
interface GridLabel {
  label: string;
  kind: string; // "text", "special", "pad", or "fold": pads that are only counted
  lead?: string;
}

interface GridAxis {
  labels: GridLabel[] | null; // null: counted from 0; more than `count`: still to come
  count: number; // places that can be pointed at
  tokens?: number[][]; // the queries or keys that each place shows, see place.js; none: it is of no token
  room?: number; // places that are kept free
  lit?: number; // places whose labels are not quiet
  tint?(place: number): number; // the weight whose colour lies under a label; 0: none
  counted?(place: number): string; // what a place without a token is called; its number
  // Of columns, in place of the title: where each begins, and what it is called where that has no room.
  parts?: { at: number; title: string; brief?: string }[];
  title?: string;
}

/** A place of a heat map; one of both is null on the label of a row or a column. */
interface GridPlace {
  row: number | null;
  column: number | null;
}

/** The lines of a heat map, which say what tokens they show. */
type GridLines = Pick<GridFrame, "rows" | "columns">;

/** Draws the numbers of a row as bars. */
type BarsPainter = (painting: Painting, row: number, top: number, height: number) => void;

/** What a heat map shows, in any room. */
interface GridFrame {
  key: unknown[]; // identifies the numbers: they are painted anew when a part is another
  kind: "weight" | "mask" | "signed";
  rows: GridAxis;
  columns: GridAxis;
  headOn?(place: Place): GridPlace | null; // where a head is shown, where a cell is one
  value(row: number, column: number): number;
  limit?: number; // what the ends of a signed scale stand for
  range?: number[]; // what the ends of another scale stand for; 0 and 1
  beside?: { values: ArrayLike<number>; title: string }; // bars over the columns
  leastSaid?: number; // numbers, or shares of the range, nearer to 0 are not written into cells
  hidden?(row: number, column: number): boolean; // hatched
  mark?(row: number, column: number): "opened" | "closed" | "fold" | "absent" | null;
  digits?: boolean; // whether numbers are written into large cells
  spell?(value: number): string; // how, where it is not as usual
  widest?: number; // the digits of a cell over their type size, where they are wider than usual
  painted?: number; // rows painted; all
  picture?: HTMLCanvasElement; // one pixel a cell, where there is one already
  pointed: GridPlace | null;
  kept: GridPlace | null;
  cross?: boolean; // the row and column of what is kept are marked, not its cell
  current?: number | null; // the row of the present step
  eye?: number | null; // the column that is brought into view with that row
  marks?: number[]; // columns that are marked besides
  rowMarks?: number[]; // rows
  tops?: number[][]; // [y, height] of each row, where they differ
  bars?(row: number): BarsPainter | null; // what draws it as bars; only with tops
  rules?: number[]; // y of lines between rows; only with tops
  pressable?(row: number): boolean;
  bar?: number; // CSS pixels for the printed scale at the normal type size
  scale?: boolean; // false: the room for it stays empty
  masked?: string; // what hatching means
  coming?(painting: Painting): void; // paints what will stand below the last row
  counts?: string; // what the printed scale counts, where it is no weight
  high?: number; // a cell is at most so many times as high as it is wide; only with wide
  wide?: number; // a cell is at most so many times as wide as it is high
  most?: number[]; // CSS pixels that a cell is at most wide and high at the normal type size
  least?: number; // CSS pixels that a cell is at least wide and high
  low?: number; // a row may be so low all the same, where all rows are in sight then
  thin?: number; // CSS pixels of a column, where not every one needs a label
  longest?: number; // CSS pixels of a label that stands, at the normal type size; 70
  side?: number; // share of the width that row labels get at most
  by?: GridPainter; // another way to paint the same
  label: string; // for screen readers
}

/** What of it says where its parts go. */
type GridPlan = Pick<GridFrame, "rows" | "columns" | "bar" | "beside" | "most" | "least" | "low" | "thin" | "high"
  | "wide" | "longest" | "side" | "tops">;

/** Where they go. */
type GridLayout = ReturnType<typeof import("./draw/layout.js").layoutGrid>;

interface GridCell {
  row: number;
  column: number;
}

/** What the reader does on a heat map, or on one where a label stands for its row or its column. */
type GridActs = GridBox & GridMoves<GridCell> & { lines?: false };
type GridLineActs = GridBox & GridMoves<GridPlace> & { lines: true };
interface GridBox {
  box: string; // its class
  data?: Record<string, string | number>;
  redraw: (() => void) & { now?(): void };
  whole?: boolean; // whether it is as large as its layout, and never scrolls
  scrolled?(box: HTMLElement): void;
}
interface GridMoves<Place> {
  point(place: Place | null): void; // where the reader looks, which is elsewhere than before
  keep?(place: Place, withShift: boolean): void; // what is pressed
}

interface GridPainter {
  layout(frame: GridFrame, view: { width: number; height: number }, unit: number,
    measure: (label: GridLabel, type: number) => number): any;
  hit(frame: GridFrame, layout: any, scroll: { x: number; y: number }, x: number, y: number):
    GridPlace | null;
  paint(context: CanvasRenderingContext2D, frame: GridFrame, layout: any,
    scroll: { x: number; y: number }, palette: Palette): void;
}

/** The named colours and fonts of the style sheet. */
type PaletteNames = Record<"paper" | "panel" | "ink" | "quiet" | "faint" | "hair" | "accent" | "accent_soft"
  | "alarm" | "mask" | "mono" | "sans" | "dark_text" | "light_text", string>;

/** The colours the canvases draw with: draw/palette.js. */
interface Palette extends PaletteNames {
  parts: Uint8ClampedArray; // 256 x [r, g, b], of weights from 0 to 1
  marksBelow: boolean; // whether no colour tells what is below 0
  signed(): Uint8ClampedArray; // 511 x [r, g, b], from -1 to 1
  of(weight: number): string; // as CSS
  on(weight: number): string; // the text colour that reads on it
  onSigned(share: number): string; // the same on those of -1 to 1
  isSameAs(other: Palette): boolean;
}

/** A heat map, and what it is painted on. */
interface Painting {
  context: CanvasRenderingContext2D;
  frame: GridFrame;
  layout: GridLayout;
  scroll: { x: number; y: number };
  palette: Palette;
}

interface Look {
  palette: Palette;
  unit: number;
}

/** A run that a change of the reader dropped, and where its cursor was. */
interface Dropped {
  run: Run;
  at: number;
  stepping: boolean;
  isUndone?: boolean; // it was left by Undo
}

/** A message to the reader: an error, or a text as it is; see wordsOfError. */
type Message = { code: string; values?: Record<string, any>; message?: string; reason?: Message } | string | null;

/** What a page is opened with; see mount.js. */
interface PageOptions extends Omit<Options, "models" | "model"> {
  models: Model[]; // what a closed one is made of is not asked before it is opened
  model: string;
  words: Record<string, Record<string, string>>; // a table a language, of those at hand
  apart?: WordsApart; // where the tables are fetched one by one
  payload?: Payload;
  view?: any; // what the payload is opened on, see run/view.js
  answers?: AnswerAtHand[]; // to the rooms of a page without a server
  choices?: Record<string, string>; // language, scheme and large, where the host decides
  // What of a view is in a file's name, by picture: field, word, what it counts from; without a server.
  named?: Record<string, [string, string, number][]>;
  made?: Record<string, string>; // what a page without a server says of its origin
  address?: boolean; // whether the page's own address may hold the recipe and the view
  base?: string; // the address that links begin with, where it is another one
  site?: SitePages | null;
  lessons?: LessonMenu | null; // that came with the page
  trains?: Trains | null; // what trainings may be begun
  layouts?: string[]; // of models that can be opened by their path
  undrawn?: string | null; // why this server draws no pictures
  data?: string[]; // the formats of numbers that it writes
  local?: boolean; // whether the server lets browsers answer
  sole?(now: boolean): void; // lets the server alone answer, see run/local.js
  begins?(tell: (models: string[]) => void): Promise<void>; // begins that; `tell` hears of which models
}

/** What comes when it is first asked for, where a server is; elsewhere it is here. */
type LaterParts = {
  drawing(): Promise<PictureTools>;
  dialogs(): Promise<typeof import("./page/dialogs.js").dialogs>;
  more(): Promise<More>;
  // Where something answers:
  bring(): Promise<typeof import("./page/about/bring.js").makeBring>;
  own(): Promise<typeof import("./page/about/own.js").makeOwn>;
  asking(): Promise<typeof import("./asking/box.js").makeAsking>;
  lesson(): Promise<LessonTools>;
  local(): Promise<typeof import("./run/local.js").local>;
  making(): Promise<typeof import("./making/making.js").making>;
} & Record<string, () => Promise<any>>; // the rooms

/** What the script of such a part exports: it makes the part, puts its style and says its words. */
type PartScript = (modules: Object, put: (place: number, text: string) => void,
  say: (words: Record<string, Record<string, string>>) => void) => any;

/** A face that the page is set in, in one weight, as WOFF2; see page/faces.js. */
interface ShippedFace {
  family: string;
  weight: number;
  file: Uint8Array;
}

/** What a press needs and the first picture does not. */
type More = typeof import("../rooms/translate/more.js").more;

/** What draws pictures to keep. */
type PictureTools = typeof import("./picture/drawing.js").drawing;

/** What makes the lessons. */
type LessonTools = typeof import("./lesson/lesson.js").lesson;

/** What a dialog is made of besides the words and the session: see page/dialogs.js. */
interface SheetPage {
  transport: Transport | null;
  files: Transport | null; // what makes data and pages, where no server is
  link: (() => { text: string | null; problem: any }) | null; // null: the page has no address of its own
  drawing(): Promise<PictureTools>; // what draws a code
  brought(model: Model): void; // is given a model that was opened
  look(): any; // what the open room keeps
  choices: Record<string, string>; // of files to keep: those made before
  questions: (() => Promise<Questions>) | null; // what can be asked; null where nothing can
  follow(leads: LeadsTo): void;
  /** What the page can draw itself: whether it holds a picture of the open room, the picture, and its link. */
  here: {
    holds(name: string): boolean;
    computedBy(): Promise<string | null>; // what computed what the open room shows; null: not one alone
    picture(name: string, look: any): Promise<{ svg: string; width: number; height: number; title: string } | null>;
    drawing(): Promise<PictureTools>;
    link(): string | null;
  };
}

/** What can be asked of the page: viz_app/text/asked.py. */
interface Questions {
  questions: Question[];
  idle: string[]; // words that say nothing of what is asked
  synonyms: Record<string, string[]>; // words of one meaning
}

interface Question {
  name: string;
  list: string; // the file that it is in
  asks: Record<string, string>; // by language
  says: Record<string, string>;
  words: string[]; // others that it is found by
  link: string;
  own: string | null; // what of the link shows the answer for any model and sentence
  near: boolean; // nothing shows the answer; this comes nearest
}

/** Where a question leads from this page, and what it says of that: asking/asking.js. */
interface LeadsTo {
  room: string;
  model: Model | null;
  name: string; // of the model
  text: string; // the sentence
  isOwn: boolean; // whether it is of the run on the screen
  lesson?: string | null; // the one that it begins, and its step
  link?: string; // where there is a server
  view?: any; // of this page
  page?: string; // an address
  isLive?: boolean; // of the running app
  lacks?: "model" | "app"; // it cannot be shown
}

/** What a page is made of besides the stage itself. */
interface StageParts {
  rooms: RoomScript[]; // see page/rooms.js
  makeAddress: typeof import("./keep/address.js").makeAddress | null; // keeps the page's own address
  later: LaterParts;
  alone: typeof import("./page/alone.js").alone | null; // for where there is no server
  faces?: ShippedFace[]; // where nothing is fetched
}

/** The tables of words that are fetched when they are needed, by language. */
interface WordsApart {
  languages: string[];
  titles: string[]; // the page's, in each of them
  questions(): Promise<Questions>;
  fetched(language: string): Promise<Record<string, string>>;
}

/** A site: where its pages are from this one, by model and in the order of the model's examples; and
 * the sentence of this page in the running app, and where that is, where there is one. */
interface SitePages {
  root: string;
  pages: Record<string, string[]>;
  link: string;
  live: string | null;
  worker?: import("./run/worker_client.js").WorkerClient | null; // what computes in the page
  computed: string[]; // the models that can be computed in the page
  why?: string | null; // why there is none, as the end of the key of a sentence
  questions(): Promise<Questions>;
  asked: string; // the question that led to this page, by its name
}

/** What a room's script exports: page/rooms.js and keep/kept.js. */
interface RoomScript {
  name: string;
  arrives?: () => Promise<void>; // while it is not here; afterwards it has the rest
  withoutSentences?: boolean; // of the lines above it only the edits in force are seen
  make: MakeRoom;
  keep: {
    pictures(state: State, view: any): Kept[];
    view?(kept: any): any;
    kept?(view: any): any;
    tables?(picture: string, view: any, state: State): Table[];
  };
}

/** What a decoding can change, and what is the page's: run/decoding.js and run/page.js. */
interface State {
  refused: string | null;
  options: PageOptions;
  rooms: RoomScript[];
  canAsk: boolean;
  language: string;
  room: string;
  lesson: string | null; // the step of a lesson that is on, as a link says it
  isStepAsked: boolean; // whether a link named that step and no sentence
  spelled: boolean;
  /** The run that the one at hand is compared with; null: the room Compare chooses one. */
  other: { b: Recipe; weights: string | null } | null;
  more: More | null; // what a press may need, once it is here
  scheme: number;
  awaits: Status | null;
  worker: import("./run/worker_client.js").WorkerState | null; // what computes in the page, and what it does
  local: string[]; // the models that this browser answers for, where a server is
  message: Message;
  messageOf: string | null;
  given: Record<string, any>;
  model: Model;
  /** Null before the first answer; a room is drawn when there is one. */
  run: Run;
  dropped: Dropped | null;
  branches: Dropped[]; // continuations that were left: page/branches/
  at: number;
  stepping: boolean;
  site: Site;
  locks: Record<Site, Head>;
  named: Partial<Record<Site, boolean>>;
  preview: Head | null;
  pointed: { query: number | null; key: number | null };
  cells: Partial<Record<Site, Cell>>;
  looks: number;
  view: string;
  reading: string; // of the large map
  rows: string;
  by: string; // "words", or "pieces": what the room Translate counts in
  isPlaybackOpen: boolean; // whether the reader steps through the translation, with the playback at hand
  order: string;
  draft: string;
  strategy: Recipe["strategy"];
  isAutoplaying: boolean; // whether steps follow each other by themselves
  busy: boolean;
  slow: boolean;
  asked: Recipe | null;
  offered: string | null;
  wanted: string | null;
}

/** A token that may follow, as the room Translate lists it. */
interface Follower {
  token: number;
  text: string;
  piece: string;
  kind: string;
  rank: number; // from 0, under the full softmax
  begins: boolean; // a word
  log: number;
  probability: number; // of the full softmax
  share: number | null; // after the temperature and the cuts; null where nothing is drawn
  cut: string | null; // why it cannot be drawn
  chosen: boolean;
  lost?: boolean; // written before the last change, and not now
  before: number | null; // the probability then; null where it is not known, or reads other tokens
  note?: string; // what is drawn of that
  numbers?: string; // both, in words
}

type DrawSettings = Pick<Recipe["strategy"], "temperature" | "top_k" | "top_p" | "seed">;

/** Every token that may be drawn, best first, with its log-probability. */
interface Ranked {
  tokens: Int32Array;
  logs: Float64Array;
}

/** The part of 0 to 1 that is a token's; `cut`: why it has none. */
interface DrawingPart {
  begin: number;
  share: number;
  cut: string | null;
}

/** A draw at one step. The token the dart is in is `named` where it is known what it is called; a part is
 * null where it is not known. */
interface Drawing {
  dart: number;
  kept: number;
  logTotal: number;
  hit: number | null;
  named: Named | null;
  partOf(token: number): DrawingPart | null;
}

/** A decoding on its page: what there is, and what changes it. */
interface Session {
  state: State;
  actions: ReturnType<typeof import("./run/decoding.js").openDecoding>["actions"];
}

/** Asks the server: resolves to its answer, or rejects. What does one thing at a time also hears
 * when nobody waits for an answer any more, and that nobody asked for it by name: `quiet`. */
type Transport = (request: any, signal?: AbortSignal, more?: { stale?: AbortSignal; quiet?: boolean })
  => Promise<any>;

/** An answer that came with the page, or what fetches it, and what it answers. */
interface AnswerAtHand {
  room: string;
  asked: Record<string, any>;
  answer: any;
}

/** Makes a question of a room: page/rooms.js. `element` is dimmed while an answer is awaited; `failed`
 * is called when there is none; the rest is said in run/ask.js. */
type Ask = (how?: { element?: HTMLElement | null; quiet?: boolean; failed?(): void; after?: number;
  settle?(answer: any, request: any): any }) => import("./run/ask.js").Question;

/** A picture of a room: what it is called, how it is brought into view and taken out again, and what of
 * the page it is. */
interface PictureParts {
  title: string;
  says?: string; // the one sentence under the title: what is to be seen
  /** The runs that it is of, where that is not the one on the screen alone. */
  runs?: { name?: string; recipe: Recipe; text: string; source?: any }[];
  show?(): () => void;
  parts(): Element[];
}

/** What a room is made by; `before`: what it kept, `shared`: what the page lends it. */
type MakeRoom = (t: Words, session: Session, ask: Ask, redraw: Redraw, before?: any, shared?: any)
  => Room;

/** What a room gives the page: page/rooms.js. */
interface Room {
  element: HTMLElement; // its own node, hidden while another room is open
  /** Before it is drawn: asks, and chooses what follows from an answer or another run; `fresh`: it was
   * just opened, or the run is another. */
  settle?(fresh: boolean): void;
  update(look: Look): void; // draws, and changes nothing else
  destroy?(): void;
  /** What a button would ask, or null; for a page without a server that has several answers. */
  asks?(button: HTMLElement): any;
  withoutRun?: boolean; // whether it has something to show before there is a run
  /** Where its terms are about another attention or other tokens than those of the run. */
  here?(): { site?: Site; source?: Tokens; fed?: Tokens };
  moves?: Record<string, any>; // what keys do while it is open, by key: keyboard.js
  /** A picture that it can show now, by its name; null where it does not hold it: picture/picture.js. */
  pictured?(picture: string): PictureParts | null;
  /** Its own choices as a plain value: what a room that is built again begins with. */
  keep?(): any;
}

/** The words of the language in use: page/words.js. */
interface Words {
  (key: string, values?: Record<string, any>): string;
  language: string;
  languages: string[];
  use(language: string): void;
  has(key: string): boolean;
  raw(key: string): string;
}

/** Draws with the next frame, or at once. */
interface Redraw {
  (): void;
  now(): void;
}

/** The label of a token: draw/labels.js. */
interface Label {
  label: string;
  piece: string;
  kind: string;
  goesOn?: boolean; // with the word of the token before
  pending?: boolean;
  lead?: string; // as in GridLabel
}

/** What the tokens on the screen are called: draw/axes.js. */
type Axes = Record<"source" | "target" | "rows" | "columns", Label[]>
  & { words: Record<"source" | "target", Label[]> };

/** A picture that can be kept, and the view of its room that it shows. */
interface Kept {
  picture: string;
  view: any;
}

/** A table, and how an answer names one: keep/tables.js. */
interface TableAxis {
  name: string;
  start: number;
  length: number;
  tokens: string[] | null;
}
interface Table {
  name: string;
  axes: TableAxis[];
  values: Record<string, ArrayLike<any> & { slice(from: number, to: number): any }>;
}
interface TableOf {
  name: string;
  axes: (TableAxis & { pieces?: string[]; picked?: string })[];
  arrays: Record<string, string | string[]>;
  at: [string, number][];
}

/** How a label is written: draw/labels.js. */
interface LabelLook {
  size: number;
  room: number;
  x: number;
  align: "left" | "center" | "right";
  colour: string;
  height: number;
  strong?: boolean;
  standing?: boolean;
}
