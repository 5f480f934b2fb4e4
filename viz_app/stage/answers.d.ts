// What the server sends, printed from the types of its answers by
// `python -m tests.javascript.answers`. A test holds that real answers are of them. No page ever
// gets this file.

type Floats = string; // numbers of an array as base64 of little-endian float32
type Mask = string[]; // rows of 0s and 1s

interface Options {
  models: (Model | ClosedModel)[];
  model: string | null;
  opens: Record<string, string>;
  limits: PageLimits;
  product: string;
  computes: string;
  link: {
    limit: number;
  };
}

interface Payload {
  masked?: {
    place: number;
    candidates: Candidate[];
  }[];
  version: number;
  recipe: Recipe;
  source: Tokens;
  target: Tokens;
  prompt: number;
  chosen: Chosen[];
  steps_from: number;
  steps: Step[];
  finished: string | null;
  reads_whole: boolean;
  text: string;
  roles: Partial<Record<Site, {
    word: string | null;
    second: string | null;
    key: number | null;
  }[][]>>;
  highlight: Highlight | null;
  attention: Partial<Record<Site, Rows | {
    data: Floats;
    shape: number[];
    best: [number, number][][];
  } | Summary | null>>;
}

interface Decoded extends Payload, Noticed, Entered {
  view?: Record<string, any>;
}

interface Ahead {
  version: number;
  next: Decoded[];
  others: (Decoded | null)[];
}

interface Refusal {
  error: ToldError;
  detail: string;
}

interface Status {
  phase: "torch" | "model" | "ready";
  waiting: number;
  at_once: number;
  drawn?: number;
}

interface Trains {
  languages: string[];
  choices: Record<string, (string | number | boolean)[]>;
  updates: Record<string, number>;
  most_seed: number;
}

interface TrainingRun {
  name: string;
  settings: Record<string, string | number | boolean>;
  state: "running" | "paused" | "done" | "failed";
  update: number;
  updates: number;
  loss: number | null;
  per_second: number | null;
  seconds_left: number | null;
  noted: boolean;
  can_keep: boolean;
  kept: string | null;
  why: string | null;
}

interface SourceAssembly extends Tabled {
  kind: "merges" | "characters" | "other";
  learnt: number;
  parts: {
    places: number[];
    symbols: string[];
    merges: {
      left: string;
      right: string;
      number: number;
      symbols: string[];
    }[];
  }[];
}

interface Draws extends Tabled {
  count: number;
  texts: {
    text: string;
    count: number;
    seed: number;
  }[];
}

interface StepNumbers extends Tabled {
  at: number;
  log_probabilities_V: Floats;
  never: number[];
  seed: number;
  dart: number;
  hits: Named[];
}

interface Norms extends Tabled {
  norms: Floats;
}

interface Changes extends Averages, Tabled {
  words: number[][];
  runs: number[][];
  run_values: Floats;
}

interface Averages extends Tabled {
  values: Floats;
}

interface HeadRows extends Tabled {
  rows: Floats;
}

interface MasksAnswer extends OfHeads, Tabled {
  breaks: string[];
  masks: Masks;
  own: Masks;
  hidden_score: number | null;
  leaks: {
    on_pads: number[][];
    on_future: number[][];
  };
  empty: number[];
  uniform: number[];
  elsewhere: {
    site: Site;
    on_pads: number;
  }[];
  verdicts: {
    pads: "proven" | "exact" | "differs" | null;
    future: "proven" | "exact" | "differs" | null;
    fill: "proven" | "exact" | "differs";
  };
  changes: {
    distance: number[];
    intact: Tokens;
    broken: Tokens;
    intact_probability: number[];
    broken_probability: number[];
  }[];
  predicting: "source" | "target";
  scores: Floats;
  weights: Floats;
}

interface PassesAnswer extends OfHeads, Tabled {
  source: Tokens;
  fed: Tokens;
  predicted: Tokens;
  allowed: Mask;
  once_allowed: Mask;
  ended: boolean;
  usual_step: number;
  probabilities: {
    once: number[];
    stepped: number[];
  };
  apart: {
    scores: number;
    weights: number;
    log_probabilities: number;
  };
  verdict: "proven" | "exact" | "differs";
  once: Floats;
  stepped: Floats;
}

interface PositionTable extends Tabled {
  study: string;
  kind: string;
  own: boolean;
  halves: boolean;
  first: number;
  steps: string;
  positions: number;
  dimensions: number;
  models_kind: string;
  offsets: number[];
  buckets: number[];
  side: "source" | "target";
  sides: ("source" | "target")[];
  curves: number[];
  shape: number[];
  table: Floats;
  wavelengths: number[];
  pairs: number[];
  similarity: Floats;
  similarity_from: number;
  products: Floats;
  distances: Floats;
}

interface PositionSum extends Tabled {
  study: string;
  side: "source" | "target";
  sides: ("source" | "target")[];
  models_kind: string;
  embedding_norm: boolean;
  scale: number;
  adds_up: "proven" | "exact" | "differs";
  tokens: Tokens;
  shape: number[];
  embedding: Floats;
  position: Floats;
  sum: Floats;
}

interface PositionOrder extends Tabled {
  study: string;
  words: number[][];
  movable: number[];
  order: number[];
  rows: number[] | null;
  text: string | null;
  at: number | null;
  site: Site;
  layer: number;
  head: number;
  tried: number | null;
  models_kind: string;
  source: Tokens;
  target: Tokens;
  predicting: "source" | "target";
  is_two_sided: boolean;
  reads_whole: boolean;
  limit: number;
  on: Effect;
  off: Effect;
}

interface PositionOutcome extends Noticed, Tabled {
  study: string;
  order: number[];
  rows: number[] | null;
  translations: Record<string, string[]>;
  words: Record<string, ([string | null, string | null])[]>;
  double_off: number | null;
  double_off_prediction: number | null;
}

interface Rotation extends Tabled {
  study: string;
  own: boolean;
  models_kind: string;
  similarity: string;
  dimensions: [number, number][];
  site: Site;
  layer: number;
  head: number;
  query: number;
  key: number;
  frequencies: number[];
  tokens: Tokens;
  shape: number[];
  positions: number;
  q: Floats;
  k: Floats;
  turned_q: Floats;
  turned_k: Floats;
  scores: Floats;
  turned_scores: Floats;
  placed_scores: Floats;
  spread: number;
  verdict: "proven" | "exact" | "differs";
}

interface CellAnswer extends Architecture, Tabled {
  site: Site;
  layer: number;
  head: number;
  key_head: number;
  key_heads: number;
  query: number;
  queries: Tokens;
  keys: Tokens;
  read_KD: Floats;
  q_E: Floats;
  k_KE: Floats;
  v_KE: Floats;
  factor_KE: Floats;
  other_KE: Floats;
  products_KE: Floats;
  sums_K: Floats;
  divisor: number;
  scores_K: Floats;
  bias_K: Floats | null;
  logits_K: Floats;
  allowed_K: boolean[];
  exponentials_K: Floats;
  weights_K: Floats;
  unscaled_scores_K: Floats | null;
  unscaled_weights_K: Floats | null;
  dropped_K: Floats;
  zeroed_K: boolean[];
  weighted_KE: Floats;
  summed_E: Floats;
  context_E: Floats;
  replaced_H: boolean[];
  shares_HD: Floats;
  output_bias_D: Floats;
  output_D: Floats;
  sublayer: SubLayer;
  norm: {
    kind: "layer" | "sample" | "scalar" | "rms";
    eps: number;
    entered_D: Floats;
    mean: number;
    spread: number;
    gain_D: Floats;
    bias_D: Floats;
    left_D: Floats;
  };
  verdicts: Record<string, "proven" | "exact" | "differs">;
  view: "cell";
  hidden_score: number | null;
  along: Along;
  total: number;
}

interface SpreadAnswer extends Architecture, Tabled {
  site: Site;
  layer: number;
  head: number;
  query: number;
  queries: Tokens;
  keys: Tokens;
  d_k: number;
  is_divided: boolean;
  divisor: number;
  products_QK: Floats;
  scores_QK: Floats;
  edges_B: Floats;
  step: number;
  before: Spread;
  after: Spread;
  allowed_K: boolean[];
  plain: Softened;
  divided: Softened;
  view: "spread";
  pairs: number;
}

interface NormsAnswer extends Architecture, Noticed, Tabled {
  view: "norms";
  site: Site;
  layer: number;
  tokens: Tokens[];
  is_pad_N: boolean[];
  entered_NF: Floats;
  layered: {
    count: number;
    mean_N: Floats;
    deviation_N: Floats;
    left_NF: Floats;
  };
  whole: Batched;
  padded: Batched;
  alone: Batched;
  single: number;
}

interface WayAnswer extends Architecture, Tabled {
  side: "source" | "target";
  position: number;
  tokens: Tokens;
  embedding_D: Floats;
  segment_D: Floats | null;
  position_D: Floats | null;
  sum_D: Floats;
  adds_up: "proven" | "exact" | "differs";
  sublayers: SubLayer[];
  output_D: Floats;
  view: "way";
  alone: boolean;
  lens: {
    tokens: Tokens;
    token_SR: Floats;
    logit_SR: Floats;
    probability_SR: Floats;
  } | null;
  prediction: {
    candidates: Tokens;
    logits: number[];
    probabilities: number[];
    log_sum: number;
    V: number;
    chosen: number | null;
  } | null;
}

interface BeamAnswer extends Hypothesis, Tabled {
  begun: Tokens;
  taken: number;
  forced: number;
  tokens: Tokens;
  tree: {
    alpha: number;
    formula: "wu" | "power";
    width: number;
    limit: number;
    before_tokens: number;
    before_total: number;
    considered: number[];
    ending: "enough" | "best" | "likely" | "bound" | "limit" | "nothing";
    found: number[];
    parent: number[];
    died: number[];
    step: number[];
    log_probability: number[];
    total: number[];
    penalty: number[];
    score: number[];
    rank: number[];
    fate: ("kept" | "pruned" | "finished")[];
  };
  found: {
    texts: string[];
    total: number[];
    penalty: number[];
    score: number[];
  };
  greedy: {
    tokens: Tokens;
    text: string;
    places: number[];
  };
  parting: {
    outcome: "same" | "total" | "penalty" | "worse" | "unended";
    step: number | null;
    greedy: BeamNode;
    beam: BeamNode;
    greedy_token: BeamNode | null;
    beam_token: BeamNode | null;
    dropped: number | null;
  };
  of_nodes: {
    parent: number[];
    rank: number[];
    kept: boolean[];
    finished: boolean[];
  };
}

interface Hypothesis extends Tabled {
  map: {
    node: number;
    site: Site;
    layer: number;
    head: number;
    read: Tokens;
    written: Tokens;
    keys: Tokens;
    allowed: Mask;
    weights: Floats;
  };
}

interface HeadsAnswer extends Tabled {
  measured: {
    corpus: string;
    sentences: number;
    source_tokens: number;
    target_tokens: number;
    targets: string;
    loss: number | null;
    exact: number | null;
    median: number | null;
  };
  why: null;
  edits: string[];
  sites: Partial<Record<Site, {
    layers: number;
    heads: number;
    words: string[][];
    values: Record<string, Floats>;
  }>>;
  head: {
    site: Site;
    layer: number;
    head: number;
    word: string;
    like: number[] | null;
    distances_N: Floats;
    tokens: {
      text: string;
      kind: string;
      share: number;
      even: number;
    }[];
    sentences: {
      source: string;
      target: string;
      amount: number;
    }[];
  };
  effect: {
    chosen: Tokens;
    with_T: Floats;
    zero_T: Floats;
    mean_T: Floats | null;
  } | null;
  here?: {
    loss: number;
    added: Partial<Record<Site, Floats>>;
    order: HeadPlace[];
    losses_N: Floats;
  } | null;
  rest?: Rest | null;
}

interface Unmeasured extends Tabled {
  measured: null;
  why: ToldError;
}

interface CompareAnswer extends Noticed, Tabled {
  site: Site;
  rows: "source" | "target";
  columns: "source" | "target";
  stepped: boolean;
  align: string;
  stale: boolean;
  numbers: "weights" | "scores" | "norms" | "vectors" | "path";
  offer: ("weights" | "scores" | "norms" | "vectors" | "path")[];
  unfed: {
    because: "target" | "vocabulary";
    token: string | null;
  } | null;
  fed: boolean;
  words: ([string | null, string | null])[];
  runs: {
    recipe: Recipe;
    weights: string;
    source: Tokens;
    target: Tokens;
    prompt: number;
    steps: number;
    finished: string | null;
    text: string;
  }[];
  places: {
    layer: number;
    head: number;
    layers: number;
    heads: number;
  }[];
  row_pairs: ([number | null, number | null])[];
  column_pairs: ([number | null, number | null])[];
  row_words: ([number[] | null, number[] | null])[];
  column_words: ([number[] | null, number[] | null])[];
  a: Floats;
  b: Floats;
  difference: Floats;
  hidden: {
    a: Mask;
    b: Mask;
  };
  row_distance: (number | null)[];
  most: FarthestCell | null;
  heads: Floats | null;
  alike: AlikeHead;
  steps: TwoSteps[];
  vectors: {
    q_QE: Floats;
    k_KE: Floats;
    v_KE: Floats;
    q_length_Q: Floats;
    k_length_K: Floats;
    v_length_K: Floats;
    cosine_QK: Floats;
  }[] | null;
  paths: Path[] | null;
  parting: Parting | null;
}

interface TrainingAnswer extends Tabled {
  noted: {
    updates: number[];
    score: string;
    broken: string;
    guided: boolean;
    curves: {
      learnt: Floats;
      loss: Floats;
      score: Floats;
      copied: Floats | null;
      entropy: Floats;
      rate: Floats;
    };
    of_heads: {
      entropy: Floats;
      copied: Floats | null;
    };
    named: Record<string, string>;
    over_half: number | null;
  };
  model: string;
  edits: string[];
  place: {
    site: Site;
    layer: number;
    head: number;
  };
  note: number;
  sentence: number;
  sentences: number;
  source: Tokens;
  fed: Tokens;
  predicted: Tokens;
  weights_NQK: Floats;
}

interface Model extends Entry {
  encoder_layers?: number;
  decoder_layers?: number;
  encoder_heads?: number;
  decoder_heads?: number;
  width?: number;
  feed_forward_width?: number;
  similarity?: string;
  attention?: string;
  positions?: string;
  norm?: string;
  norm_place?: string;
  encoder_head_width?: number;
  decoder_head_width?: number;
  scaled_embedding?: boolean;
  device?: string;
  dtype?: string;
  divisor?: string;
  of: string | null;
  update: number;
  anatomy: Anatomy;
  lacking: Record<string, string>;
  max_source: number;
  max_target: number;
  vocabulary: number;
  taught: {
    heads: number[][];
    natural: number[] | null;
  } | null;
  start_on: {
    site: Site;
    layer: number;
    head: number;
    rows: string;
  };
}

interface ClosedModel extends Entry {
  closed: true;
}

interface PageLimits {
  characters: number;
  pads: number;
  tokens: number;
  steps: number;
  sentences: number;
  beam_width: number;
}

interface Recipe {
  version: number;
  model: string;
  source: string;
  target: Choice[];
  pads: number;
  strategy: {
    kind: "greedy" | "sample" | "beam";
    temperature: number;
    top_k: number;
    top_p: number;
    seed: number;
    width: number;
  };
  settings?: Record<string, string>;
  edits?: string[];
}

interface Tokens {
  ids: number[];
  pieces: string[];
  texts: string[];
  kinds: ("text" | "special" | "pad" | "unknown")[];
  spans?: (number[] | null)[];
  words?: number[][];
  unseen?: number[];
}

interface Chosen extends Candidate {
  how: "given" | "greedy" | "sampled" | "beam" | "forced";
  rank: number;
}

interface Step {
  index: number;
  candidates: Candidate[];
  unseen?: [number, number][][];
  sampling?: Sampling;
}

interface Highlight {
  finder: [number, number];
  steps: number[][];
}

interface Rows {
  data: Floats;
}

interface Summary {
  small: string;
  shape: number[];
  measures: Floats;
}

interface Noticed {
  notice?: ToldError;
}

interface Entered {
  entry?: Model;
}

interface ToldError {
  kind: string;
  message: string;
  code: string;
  values: Record<string, string | number>;
}

interface Tabled {
  tables: Record<string, AnswerTable[]>;
}

interface Named {
  token: number;
  piece: string;
  text: string;
  kind: "text" | "special" | "pad" | "unknown";
}

interface OfHeads {
  notice?: ToldError;
  view: string | null;
  model: string;
  shown: number;
  site: Site;
  rows: "source" | "target";
  columns: "source" | "target";
  causal: boolean;
  reads_whole: boolean;
  batch: {
    text: string;
    recipe: Recipe;
    source: Tokens;
    fed: Tokens;
    predicted: Tokens;
  }[];
  layers: number;
  heads: number;
  hard: boolean;
  folded: {
    rows: number;
    columns: number;
  };
  one: {
    layer: number;
    head: number;
  } | null;
}

interface Masks {
  pad: Mask;
  causal: Mask | null;
  combined: Mask;
}

interface Effect {
  before: Floats;
  after: Floats;
  difference: Floats;
  before_allowed: Mask;
  after_allowed: Mask;
  difference_allowed: Mask;
  says: string;
  largest: number;
  candidates_before: Likely[];
  candidates_after: Likely[];
  predictions: number[];
  predictions_verdict: "proven" | "exact" | "differs";
  changes: {
    site: Site;
    layer: number;
    largest: number;
    verdict: "proven" | "exact" | "differs";
  }[];
}

interface Architecture {
  similarity: string | null;
  attention: string | null;
  positions: string | null;
  norm_place: string | null;
  final_norm: boolean | null;
  activation: string | null;
  attention_bias: boolean | null;
  output_projection: boolean | null;
  divides: "d_model" | "d_k";
  D: number;
  F: number | null;
  scaled_embedding: boolean;
  embedding_norm: boolean;
  output_bias: boolean;
}

interface Along {
  names: string[];
  made_N: Floats;
  best: Tokens | null;
  probability_N: Floats | null;
}

interface Batched {
  count: number;
  mean_F: Floats;
  deviation_F: Floats;
  left_NF: Floats;
}

interface Rest {
  keys: Tokens;
  weights: Floats;
  lengths: Floats;
}

interface FarthestCell {
  row: number;
  column: number;
  difference: number;
}

interface AlikeHead {
  layer: number;
  head: number;
  distance: number | null;
}

interface TwoSteps {
  a: number | null;
  b: number | null;
  candidates: {
    text: string;
    piece: string;
    kind: string;
    a: number | null;
    b: number | null;
    taken: boolean[];
  }[];
}

interface Path {
  names: string[];
  stream_ST: Floats;
  made_ST: Floats;
  norm_place: string | null;
}

interface Parting {
  a: number;
  b: number;
  probabilities: ((number | null)[])[];
}

interface Entry {
  name: string;
  languages: string[];
  group: string;
  lessons: Lessons | null;
  examples: string[];
  card: Card | null;
  fingerprint: string;
}

interface Anatomy {
  kind: "encoder-decoder" | "decoder" | "encoder";
  source_vocabulary: number;
  target_vocabulary: number;
  max_positions: number;
  positions: "sinusoidal" | "learned" | "rotary" | "relative" | "none";
  mask: number | null;
  predicts: boolean;
  sites: {
    site: Site;
    layers: number;
    heads: number;
    key_heads: number;
    rows: "source" | "target";
    columns: "source" | "target";
    causal: boolean;
  }[];
  special: {
    pad: number | null;
    start: number | null;
    end: number | null;
    unknown: number | null;
    source_start: number | null;
    more_ends: number[];
  };
  never: number[];
  unusual: string[];
  controls: {
    name: string;
    kind: "choice" | "text";
    value: string;
    choices: string[];
  }[];
  edits: string[];
}

interface Candidate extends Named {
  log_probability: number;
}

interface Choice {
  token: number;
  how: "greedy" | "sampled" | "beam" | "forced";
}

interface Sampling {
  temperature: number;
  top_k: number;
  top_p: number;
  seed: number;
  dart: number;
  hit: Named;
  kept: number;
  log_total: number;
  shares: (number | null)[];
  beyond: {
    token: number;
    begin: number;
    share: number;
  } | null;
}

interface AnswerTable {
  name: string;
  axes: {
    name: string;
    length: number;
    tokens: string[] | null;
    start: number;
    pieces: string[] | null;
    picked: string | null;
  }[];
  arrays: Record<string, string | string[]>;
  at: [string, number][];
}

interface Likely {
  token: number;
  piece: string;
  text: string;
  kind: string;
  probability: number;
}

interface SubLayer {
  name: string;
  entered_D: Floats;
  read_D: Floats;
  made_D: Floats;
  sum_D: Floats;
  passed_D: Floats;
  hidden_F: Floats | null;
}

interface Spread {
  counts_B: Floats;
  mean: number;
  deviation: number;
}

interface Softened {
  weights_K: Floats;
  largest: number;
  bits: number;
  slope: number;
}

interface BeamNode {
  step: number;
  parent: number | null;
  token: number;
  log_probability: number;
  total: number;
  penalty: number;
  score: number;
  rank: number;
  fate: "kept" | "pruned" | "finished";
  died: number | null;
}

interface HeadPlace {
  site: Site;
  layer: number;
  head: number;
}

interface Lessons {
  batch: string[];
  order: string;
}

interface Card {
  scores: {
    bleu: [number, number | null] | null;
    chrf: [number, number | null] | null;
    exact_match: [number, number | null] | null;
    width: number;
  }[];
  lengths: {
    bleu: [number, number | null] | null;
    chrf: [number, number | null] | null;
    exact_match: [number, number | null] | null;
    shortest: number;
    longest: number | null;
    sentences: number;
  }[];
  usual: number | null;
  by_hand: {
    kind: string;
    pairs: number;
    rate: number;
  }[];
  own: {
    right: number;
    of: number;
    wrong: string[][];
  };
  parts: Record<string, number>;
  training: {
    data: string;
    pairs: number;
    updates: number;
    begun: number | null;
    minutes: number;
    guided: boolean;
    chosen: boolean;
  };
}

interface Scores {
  bleu: [number, number | null] | null;
  chrf: [number, number | null] | null;
  exact_match: [number, number | null] | null;
}
