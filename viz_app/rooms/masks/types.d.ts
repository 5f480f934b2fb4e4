// What the scripts of the room Masks hand each other. Read by tsc alone.

/** An answer of the room with its numbers unpacked; `one`: the head that came where not all did. */
type BatchHeld = Omit<MasksAnswer, "view" | "scores" | "weights" | "one">
  & { view: "masks"; scores: Float32Array; weights: Float32Array; one: Head | null };
type PassesHeld = Omit<PassesAnswer, "view" | "once" | "stepped" | "one">
  & { view: "passes"; once: Float32Array; stepped: Float32Array; one: Head | null };
type MasksHeld = BatchHeld | PassesHeld;

/** What is chosen; a batch and a sentence of it that are null are the answer's to choose. */
interface MasksChoices {
  view: string;
  site: Site;
  breaks: string[]; // edits of masks, in the order of a recipe
  sentences: string[] | null;
  shown: number | null;
}

/** What one map shows. */
interface MaskSheet {
  name: string;
  kind: "mask" | "signed" | "weight";
  title: string; // its words, the key they stand under, and what fills them
  says: string;
  values: Record<string, any>;
  sign: string; // the key of the sign between the map before and this one
  value(query: number, key: number): number; // a mask's is 1 or 0
  hidden(query: number, key: number): boolean; // whether the mask hides the cell
  mark(query: number, key: number): "opened" | "closed" | null; // how it departs from the model's mask
  reached: number; // rows drawn; the others are still to come
  limit?: number; // what the ends of a diverging scale stand for
  fill?: string | null; // what a hidden score became
}
