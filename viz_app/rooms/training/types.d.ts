// What the scripts of the room Training hand each other. Read by tsc alone.

type TrainingSettings = Record<string, string | number | boolean>;

/** An answer with its arrays as numbers; N notes. */
type TrainingHistory = Omit<TrainingAnswer, "noted" | "weights_NQK"> & Omit<TrainingAnswer["noted"], "curves" | "of_heads"> & {
  curves: Record<"learnt" | "loss" | "score" | "rate" | "entropy", Float32Array> & { copied: Float32Array | null };
  of_heads: { entropy: Float32Array; copied: Float32Array | null }; // [layers, heads, N]
  weights: Float32Array; // [N, queries, keys]
  sites?: { site: Site; layers: number; heads: number }[]; // of a training that the page began
};
