// The types that the comments of the scripts name. Read by tsc alone; no page ever gets this file.

type Site = "encoder" | "decoder" | "cross";

/** A place in a head's weights, counted from 0; chosen by the reader or not. */
interface Cell {
  query: number;
  key: number;
  chosen?: boolean;
}

interface Head {
  layer: number;
  head: number;
}

interface Choice {
  token: number;
  how?: string;
}

interface Recipe {
  version: number;
  model: string;
  source: string;
  pads: number;
  target: Choice[];
  strategy?: Object;
}

interface Tokens {
  ids: number[];
  pieces: string[];
  texts: string[];
  kinds: string[];
}

interface Candidate {
  token: number;
  piece: string;
  text: string;
  kind: string;
  log_probability: number;
}

/** What the server answers a recipe with: rooms/translate/answer.py. */
interface Payload {
  version: number;
  recipe: Recipe;
  source: Tokens;
  target: Tokens;
  chosen: (Candidate & { how: string })[];
  steps_from: number;
  steps: { index: number; candidates: Candidate[] }[];
  finished: string | null;
  text: string;
  attention: {
    encoder: { shape: number[]; data: string } | null;
    decoder: { data: string };
    cross: { data: string };
  };
}

/** Everything the browser holds of one recipe: run/run.js. */
interface Run {
  recipe: Recipe;
  source: Tokens;
  target: Tokens;
  chosen: (Candidate & { how: string })[];
  finished: string | null;
  text: string;
  steps: { index: number; candidates: Candidate[] }[];
  layers: Record<Site, number>;
  heads: Record<Site, number>;
  blocks: { encoder: Float32Array; decoder: Float32Array[]; cross: Float32Array[] };
  capacity: number;
  kept: number;
}
