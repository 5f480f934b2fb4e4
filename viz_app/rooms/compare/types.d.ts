// What the scripts of the room Compare hand each other. Read by tsc alone.

/** An answer with its numbers; what is null is not there: heads to compare, or anything beside. */
type CompareHeld = Omit<CompareAnswer, "a" | "b" | "difference" | "heads" | "most" | "alike" | "unfed" | "vectors" | "paths">
  & Record<"a" | "b" | "difference", Float32Array>
  & { heads: Float32Array | null; most: CompareAnswer["most"] | null; unfed: CompareAnswer["unfed"] | null;
    alike: Head & { distance: number | null };
    vectors: Record<"q_QE" | "k_KE" | "v_KE" | "q_length_Q" | "k_length_K" | "v_length_K" | "cosine_QK", Float32Array>[] | null;
    paths: { names: string[]; norm_place: string | null; stream_ST: Float32Array; made_ST: Float32Array }[] | null };
/** What the maps show of an answer: its tokens, or its words. */
type CompareShown = CompareHeld | CompareOfWords;
type CompareOfWords = Omit<CompareHeld, "row_pairs" | "column_pairs">
  & { row_pairs: (number[] | null)[][]; column_pairs: (number[] | null)[][]; isOfWords: true };
type CompareStep = CompareAnswer["steps"][number];
type CompareCandidate = CompareStep["candidates"][number];

/** The labels of the axes that both runs share. */
type CompareLabels = Record<"rows" | "columns", Label[]>;

/** What B can be beside A, with the edit or the model that it is about. */
interface CompareWay {
  group: "run" | "training" | "models";
  value: string;
  recipe: Recipe;
  edit?: string;
  model?: Model;
}

/** What the reader chose; what is null is the answer's to choose. */
interface CompareChoices {
  site: Site | null;
  other_layer: number | null;
  other_head: number | null;
  align: string | null;
  feed: string | null;
  numbers: string;
  row: number | null; // of the vectors and the path, where rows are no steps
  column: number | null; // of the vectors; null: the darkest
}
