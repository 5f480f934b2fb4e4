// What the scripts of the room Inside a head hand each other. Read by tsc alone.

/** Whether a name ends in dimensions: then it names an array. */
type Sized<Name> = Name extends `${string}_${infer Rest}`
  ? Rest extends Uppercase<Rest> ? true : Sized<Rest> : false;

/** An answer with its arrays unpacked. */
type Unpacked<T> = T extends (infer One)[] ? Unpacked<One>[]
  : T extends object ? { [Name in keyof T]: Sized<Name> extends true
    ? T[Name] extends string | null ? Exclude<T[Name], string> | Float32Array : T[Name]
    : Unpacked<T[Name]> } : T;

type CellStudy = Omit<Unpacked<CellAnswer>, "view" | "bias_K">
  & { view: "cell"; bias_K: Float32Array | null; K: number; E: number; H: number };
/** Its row without the division, where there is one. */
interface PlainRow {
  scores_K: Float32Array;
  weights_K: Float32Array;
}
type SpreadStudy = Omit<Unpacked<SpreadAnswer>, "view"> & { view: "spread" };
type NormsStudy = Omit<Unpacked<NormsAnswer>, "view"> & { view: "norms" };
type WayStudy = Omit<Unpacked<WayAnswer>, "view"> & { view: "way" };

/** The tokens on the screen; `written`: the target with what was predicted last. */
type InsideLabels = Record<"source" | "target" | "written" | "queries" | "keys", Label[]>;

/** How the room draws; `digits`: all of every number; `low`: the window is. */
type InsideLook = Look & { scheme: number; digits: boolean; low: boolean };

/** One of several vectors: as bars, parted from what it is the sum of, one that can be chosen. */
interface InsideVector {
  id: string;
  name: string;
  values: Float32Array;
  kind?: string; // outlines a special token or a pad
  bars?: boolean;
  rule?: boolean;
  picked?: boolean;
  pickable?: boolean;
  note?: string;
}

/** What a link of the chain says; `lines`: its sentences with numbers as `spell` spells them. */
interface InsideSays {
  formula: string;
  shape: string;
  explained: string;
  symbols?: string; // the key of what the letters of the formula are
  lines(spell: (value: number) => string, exact: boolean): string[];
}

/** A stage of the way of a token: stages.js. */
interface InsideStage {
  id: string;
  title: string;
  values: Record<string, any>;
  formula: string;
  shape: string;
  rows: InsideVector[];
  length: number;
  lens: (Label & { logit: number; probability: number })[] | null;
  kind?: string; // of a sub-layer
  layer?: number;
  hidden_F?: Float32Array | null;
  active?: number;
  activation?: string;
}
