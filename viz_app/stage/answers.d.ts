// What the server sends, read off its answers by `python -m tests.javascript.answers`.
// A test holds that the two agree. Numbers of arrays travel as base64 of little-endian float32. No
// page ever gets this file.

type Floats = string;
type Mask = string[]; // rows of 0s and 1s

interface BeamAnswer {
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
    greedy: {
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
    };
    beam: {
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
    };
    greedy_token: {
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
    } | null;
    beam_token: {
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
    } | null;
    dropped: number | null;
  };
  of_nodes: Record<string, number[] | boolean[]>;
  tables: Record<string, AnswerTable[]>;
}

interface Hypothesis {
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
  tables: Record<string, AnswerTable[]>;
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

interface Candidate {
  token: number;
  piece: string;
  text: string;
  kind: string;
  log_probability: number;
  how?: string;
  rank?: number;
}

interface Likely {
  token: number;
  piece: string;
  text: string;
  kind: string;
  probability: number;
}

interface Step {
  index: number;
  candidates: Candidate[];
  sampling?: {
    temperature: number;
    top_k: number;
    top_p: number;
    seed: number;
    dart: number;
    hit: {
      token: number;
      piece: string;
      text: string;
      kind: string;
    };
    kept: number;
    log_total: number;
    shares: number[];
    beyond: {
      token: number;
      begin: number;
      share: number;
    } | null;
  };
  unseen?: number[][][];
}

interface Choice {
  token: number;
  how: string;
}

interface Recipe {
  version: number;
  model: string;
  source: string;
  target: Choice[];
  pads: number;
  strategy: {
    kind: string;
    temperature: number;
    top_k: number;
    top_p: number;
    seed: number;
    width: number;
  };
  edits?: string[];
}

interface Model {
  name: string;
  languages: string[];
  group: string;
  of: string | null;
  update: number;
  anatomy: Anatomy;
  lacking: Record<string, string>;
  max_source: number;
  max_target: number;
  vocabulary: number;
  examples: string[];
  lessons: {
    batch: string[];
    order: string;
  };
  taught: {
    heads: number[][];
    natural: number[];
  } | null;
  card: {
    parts: Record<string, number>;
    training: {
      data: string;
      pairs: number;
      updates: number;
      minutes: number;
      guided: boolean;
      chosen: boolean;
    };
    scores: {
      width: number;
      bleu: number[] | null;
      chrf: number[] | null;
      exact_match: (number | null)[];
    }[];
    lengths: {
      width: number;
      bleu: (number | null)[] | null;
      chrf: (number | null)[] | null;
      exact_match: (number | null)[];
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
  } | null;
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
  divisor?: string;
  start_on: {
    site: Site;
    layer: number;
    head: number;
    rows: string;
  };
  fingerprint: string;
}

interface Anatomy {
  kind: string;
  source_vocabulary: number;
  target_vocabulary: number;
  max_positions: number;
  positions: string;
  mask: null;
  predicts: boolean;
  sites: {
    site: Site;
    layers: number;
    heads: number;
    key_heads: number;
    rows: string;
    columns: string;
    causal: boolean;
  }[];
  special: {
    pad: number;
    start: number;
    end: number;
    unknown: null;
    source_start: null;
    more_ends: never[];
  };
  never: number[];
  refused: Record<string, string>;
  unusual: string[];
  controls: never[];
  edits: string[];
}

interface Options {
  version: number;
  models: Model[];
  model: string;
  opens: Record<string, string>;
  payload: null;
  limits: {
    characters: number;
    pads: number;
    tokens: number;
    steps: number;
    sentences: number;
    beam_width: number;
  };
  product: string;
  link: {
    limit: number;
  };
}

interface Payload {
  version: number;
  recipe: Recipe;
  source: Tokens;
  target: Tokens;
  prompt: number;
  chosen: Candidate[];
  steps_from: number;
  steps: Step[];
  finished: string | null;
  reads_whole: boolean;
  text: string;
  roles: {
    encoder?: {
      word: string;
      second: string | null;
      key: number | null;
    }[][];
    decoder?: {
      word: string | null;
      second: string | null;
      key: number | null;
    }[][];
    cross?: {
      word: string;
      second: string | null;
      key: number | null;
    }[][];
  };
  attention: {
    encoder?: {
      shape: number[];
      data: string;
      best: number[][][];
    } | null;
    decoder?: {
      data: string;
    };
    cross?: {
      data: string;
    };
  };
}

interface StepNumbers {
  at: number;
  log_probabilities_V: string;
  never: number[];
  seed: number;
  dart: number;
  hits: {
    token: number;
    piece: string;
    text: string;
    kind: string;
  }[];
  tables: Record<string, never>;
}

interface MasksAnswer {
  version: number;
  view: string;
  model: string;
  shown: number;
  site: Site;
  rows: string;
  columns: string;
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
  breaks: string[];
  masks: {
    pad: string[];
    causal: string[] | null;
    combined: string[];
  };
  own: {
    pad: string[];
    causal: string[] | null;
    combined: string[];
  };
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
    pads: string | null;
    future: string | null;
    fill: string;
  };
  changes: {
    distance: number[];
    intact: Tokens;
    broken: Tokens;
    intact_probability: number[];
    broken_probability: number[];
  }[];
  predicting: string;
  scores: string;
  weights: string;
  one: null;
  tables: Record<string, AnswerTable[]>;
}

interface PassesAnswer {
  version: number;
  view: string;
  model: string;
  shown: number;
  site: Site;
  rows: string;
  columns: string;
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
  source: Tokens;
  fed: Tokens;
  predicted: Tokens;
  allowed: string[];
  once_allowed: string[];
  ended: boolean;
  probabilities: {
    once: number[];
    stepped: number[];
  };
  apart: {
    scores: number;
    weights: number;
    log_probabilities: number;
  };
  verdict: string;
  once: string;
  stepped: string;
  one: null;
  tables: Record<string, AnswerTable[]>;
}

interface HeadsAnswer {
  measured: {
    corpus: string;
    sentences: number;
    source_tokens: number;
    target_tokens: number;
    targets: string;
    loss: number;
    exact: number;
    median: number;
  } | null;
  why: {
    kind: string;
    message: string;
    code: string;
    values: Record<string, string>;
  } | null;
  edits?: never[];
  sites?: {
    encoder: {
      layers: number;
      heads: number;
      words: string[][];
      values: Record<string, string>;
    };
    decoder: {
      layers: number;
      heads: number;
      words: string[][];
      values: Record<string, string>;
    };
    cross: {
      layers: number;
      heads: number;
      words: string[][];
      values: Record<string, string>;
    };
  };
  head?: {
    site: Site;
    layer: number;
    head: number;
    word: string;
    like: number[];
    distances_N: string;
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
  effect?: {
    chosen: Tokens;
    with_T: string;
    zero_T: string;
    mean_T: string;
  } | null;
  tables: Record<string, AnswerTable[]>;
  here?: {
    loss: number;
    added: {
      encoder: string;
      decoder: string;
      cross: string;
    };
    order: {
      site: Site;
      layer: number;
      head: number;
    }[];
    losses_N: string;
  } | null;
}

interface CompareAnswer {
  version: number;
  site: Site;
  rows: string;
  columns: string;
  stepped: boolean;
  align: string;
  stale: boolean;
  numbers: string;
  offer: string[];
  unfed: null;
  fed: boolean;
  words: ((string | null)[])[];
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
  row_pairs: ((number | null)[])[];
  column_pairs: ((number | null)[])[];
  a: string;
  b: string;
  difference: string;
  hidden: {
    a: string[];
    b: string[];
  };
  row_distance: (number | null)[];
  most: {
    row: number;
    column: number;
    difference: number;
  };
  heads: string;
  alike: {
    layer: number;
    head: number;
    distance: number;
  };
  steps: {
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
  }[];
  vectors: {
    q_QE: string;
    k_KE: string;
    v_KE: string;
    q_length_Q: string;
    k_length_K: string;
    v_length_K: string;
    cosine_QK: string;
  }[] | null;
  paths: {
    names: string[];
    stream_ST: string;
    made_ST: string;
    norm_place: string;
  }[] | null;
  parting: {
    a: number;
    b: number;
    probabilities: number[][];
  } | null;
  tables: Record<string, AnswerTable[]>;
}

interface TrainingAnswer {
  noted: {
    updates: number[];
    score: string;
    broken: string;
    curves: {
      learnt: string;
      loss: string;
      score: string;
      rate: string;
      entropy: string;
      copied: string | null;
    };
    over_half: number | null;
  };
  model: string;
  edits: never[];
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
  weights_NQK: string;
  tables: Record<string, AnswerTable[]>;
}

interface CellAnswer {
  view: string;
  similarity: string;
  attention: string;
  positions: string;
  norm_place: string;
  final_norm: boolean;
  activation: string;
  attention_bias: boolean;
  output_projection: boolean;
  divides: string;
  D: number;
  F: number;
  scaled_embedding: boolean;
  embedding_norm: boolean;
  output_bias: boolean;
  site: Site;
  layer: number;
  head: number;
  key_head: number;
  key_heads: number;
  query: number;
  queries: Tokens;
  keys: Tokens;
  read_KD: string;
  q_E: string;
  k_KE: string;
  v_KE: string;
  factor_KE: string;
  other_KE: string;
  products_KE: string;
  sums_K: string;
  divisor: number;
  scores_K: string;
  bias_K: null;
  logits_K: string;
  allowed_K: boolean[];
  hidden_score: number | null;
  exponentials_K: string;
  weights_K: string;
  unscaled_scores_K: string | null;
  unscaled_weights_K: string | null;
  dropped_K: string;
  zeroed_K: boolean[];
  weighted_KE: string;
  summed_E: string;
  context_E: string;
  replaced_H: boolean[];
  shares_HD: string;
  output_bias_D: string;
  output_D: string;
  sublayer: {
    name: string;
    entered_D: string;
    read_D: string;
    made_D: string;
    sum_D: string;
    passed_D: string;
    hidden_F: null;
  };
  norm: {
    kind: string;
    eps: number;
    entered_D: string;
    mean: number;
    spread: number;
    gain_D: string;
    bias_D: string;
    left_D: string;
  };
  verdicts: {
    scores: string;
    weights: string;
    hidden: string;
    dropped: string;
    output: string;
  };
  total: number;
  tables: Record<string, AnswerTable[]>;
}

interface SpreadAnswer {
  view: string;
  similarity: string;
  attention: string;
  positions: string;
  norm_place: string;
  final_norm: boolean;
  activation: string;
  attention_bias: boolean;
  output_projection: boolean;
  divides: string;
  D: number;
  F: number;
  scaled_embedding: boolean;
  embedding_norm: boolean;
  output_bias: boolean;
  site: Site;
  layer: number;
  head: number;
  query: number;
  queries: Tokens;
  keys: Tokens;
  d_k: number;
  is_divided: boolean;
  divisor: number;
  products_QK: string;
  scores_QK: string;
  edges_B: string;
  step: number;
  before: {
    counts_B: string;
    mean: number;
    deviation: number;
  };
  after: {
    counts_B: string;
    mean: number;
    deviation: number;
  };
  allowed_K: boolean[];
  plain: {
    weights_K: string;
    largest: number;
    bits: number;
    slope: number;
  };
  divided: {
    weights_K: string;
    largest: number;
    bits: number;
    slope: number;
  };
  pairs: number;
  tables: Record<string, AnswerTable[]>;
}

interface NormsAnswer {
  view: string;
  similarity: string;
  attention: string;
  positions: string;
  norm_place: string;
  final_norm: boolean;
  activation: string;
  attention_bias: boolean;
  output_projection: boolean;
  divides: string;
  D: number;
  F: number;
  scaled_embedding: boolean;
  embedding_norm: boolean;
  output_bias: boolean;
  site: Site;
  layer: number;
  tokens: Tokens[];
  is_pad_N: boolean[];
  entered_NF: string;
  layered: {
    count: number;
    mean_N: string;
    deviation_N: string;
    left_NF: string;
  };
  whole: {
    count: number;
    mean_F: string;
    deviation_F: string;
    left_NF: string;
  };
  padded: {
    count: number;
    mean_F: string;
    deviation_F: string;
    left_NF: string;
  };
  alone: {
    count: number;
    mean_F: string;
    deviation_F: string;
    left_NF: string;
  };
  single: number;
  tables: Record<string, AnswerTable[]>;
}

interface WayAnswer {
  view: string;
  similarity: string;
  attention: string;
  positions: string;
  norm_place: string;
  final_norm: boolean;
  activation: string;
  attention_bias: boolean;
  output_projection: boolean;
  divides: string;
  D: number;
  F: number;
  scaled_embedding: boolean;
  embedding_norm: boolean;
  output_bias: boolean;
  side: string;
  position: number;
  tokens: Tokens;
  embedding_D: string;
  segment_D: null;
  position_D: string | null;
  sum_D: string;
  adds_up: string;
  sublayers: {
    name: string;
    entered_D: string;
    read_D: string;
    made_D: string;
    sum_D: string;
    passed_D: string;
    hidden_F: string | null;
  }[];
  output_D: string;
  alone: boolean;
  lens: {
    tokens: Tokens;
    token_SR: string;
    logit_SR: string;
    probability_SR: string;
  } | null;
  prediction: {
    candidates: Tokens;
    logits: number[];
    probabilities: number[];
    log_sum: number;
    V: number;
    chosen: number | null;
  } | null;
  tables: Record<string, AnswerTable[]>;
}

interface PositionTable {
  study: string;
  kind: string;
  own: boolean;
  halves: boolean;
  first: number;
  steps: string;
  positions: number;
  dimensions: number;
  models_kind: string;
  offsets: never[];
  buckets: never[];
  side: string;
  sides: string[];
  curves: number[];
  shape: number[];
  table: string;
  wavelengths: number[];
  pairs: number[];
  similarity: string;
  similarity_from: number;
  products: string;
  distances: string;
  tables: Record<string, AnswerTable[]>;
}

interface PositionSum {
  study: string;
  side: string;
  sides: string[];
  models_kind: string;
  embedding_norm: boolean;
  scale: number;
  adds_up: string;
  tokens: Tokens;
  shape: number[];
  embedding: string;
  position: string;
  sum: string;
  tables: Record<string, AnswerTable[]>;
}

interface PositionOrder {
  study: string;
  words: number[][];
  movable: number[];
  order: number[];
  rows: number[] | null;
  text: string | null;
  at: number;
  site: Site;
  layer: number;
  head: number;
  models_kind: string;
  source: Tokens;
  target: Tokens;
  predicting: string;
  is_two_sided: boolean;
  reads_whole: boolean;
  on: {
    before: string;
    after: string;
    difference: string;
    before_allowed: string[];
    after_allowed: string[];
    difference_allowed: string[];
    candidates_before: Likely[];
    candidates_after: Likely[];
    predictions: number[];
    predictions_verdict: string;
    says: string;
    largest: number;
    changes: {
      site: Site;
      layer: number;
      largest: number;
      verdict: string;
    }[];
  };
  off: {
    before: string;
    after: string;
    difference: string;
    before_allowed: string[];
    after_allowed: string[];
    difference_allowed: string[];
    candidates_before: Likely[];
    candidates_after: Likely[];
    predictions: number[];
    predictions_verdict: string;
    says: string;
    largest: number;
    changes: {
      site: Site;
      layer: number;
      largest: number;
      verdict: string;
    }[];
  };
  tables: Record<string, AnswerTable[]>;
}

interface PositionOutcome {
  study: string;
  order: number[];
  rows: number[] | null;
  translations: {
    on: string[];
    off: string[];
  };
  double_off: number;
  double_off_prediction: number;
  tables: Record<string, never>;
}

interface Rotation {
  study: string;
  own: boolean;
  models_kind: string;
  similarity: string;
  dimensions: number[][];
  site: Site;
  layer: number;
  head: number;
  query: number;
  key: number;
  frequencies: number[];
  tokens: Tokens;
  shape: number[];
  positions: number;
  q: string;
  k: string;
  turned_q: string;
  turned_k: string;
  scores: string;
  turned_scores: string;
  placed_scores: string;
  spread: number;
  verdict: string;
  tables: Record<string, AnswerTable[]>;
}

interface Refusal {
  error: {
    kind: string;
    message: string;
    code: string;
    values: Record<string, string>;
  };
  detail: string;
}

interface Status {
  phase: string;
  waiting: number;
  at_once: number;
  drawn?: number;
}
