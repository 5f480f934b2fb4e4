// What the scripts of the room Heads hand each other. Read by tsc alone.

/** A head with all that was measured of it. */
interface MeasuredHead extends HeadPlace {
  word: string;
  values: Record<string, number>;
}

/** An answer about a model whose heads were measured. */
type HeadsMeasured = HeadsAnswer & Required<Pick<HeadsAnswer, "sites" | "head">>
  & { measured: NonNullable<HeadsAnswer["measured"]> };

type HeadToken = HeadsMeasured["head"]["tokens"][number];

/** What is chosen; what is null is usual. */
interface HeadsChoices {
  view: "list" | "grid" | "scatter" | "table" | "here";
  measure: string | null;
  across: string | null;
  order: string | null;
  pattern: string | null;
  cells: number[];
}

/** What a picture of all heads shows. */
interface HeadsShown {
  heads: MeasuredHead[];
  measure: string;
  across: string;
  order: string;
  chosen: MeasuredHead | undefined;
  pointed: HeadPlace | null;
  answer: HeadsMeasured;
}
