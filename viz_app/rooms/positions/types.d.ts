// What the scripts of the room Positions hand each other. Read by tsc alone.

/** A table with its numbers; `limit`: the largest of them. */
type HeldTable = Omit<PositionTable, "table" | "similarity" | "products" | "distances">
  & { numbers: Float32Array; limit: number };
/** The table that is read, with what is known of its rows. */
type ReadTable = HeldTable & { cosines: Float32Array; products: Float32Array; distances: Float32Array };

/** What a chart is painted on. */
type Chart = Look & { context: CanvasRenderingContext2D; width: number; height: number };

/** One of the views of the room. */
interface Study {
  element: HTMLElement;
  settle(): void; // asks, and chooses what follows
  update(look: Look): void;
  here?(): { site: Site };
  kind?(): string; // of the table that is chosen
  pictured?(picture: string): PictureParts | null; // as of a Room
  asks(chosen: { kind?: string; side?: string }): any; // what a button of it would ask
  keep(): any;
  destroy(): void;
}
type MakeStudy = (t: Words, session: Session, ask: Ask, redraw: Redraw, before?: any) => Study;

/** What is chosen in the table. */
interface TableLook {
  kind: string | null; // null: the model's own
  side: string;
  row: number; // the two positions that are compared
  other: number;
  column: number;
  kept: number[]; // the dimensions whose curves stay
  columns: string; // which dimensions are drawn: "waves" or "all"
  span: string; // which positions are: those of the "sentence", or "all"
  pointed: GridCell | null;
  alike: GridCell | null; // two positions whose likeness is read
}

type HeldRotation = Rotation & { limit: number; numbers: Record<"q" | "k" | "turned_q" | "turned_k"
  | "scores" | "turned_scores" | "placed_scores", Float32Array> };

/** What is chosen of a rotation; a query and a key that are null are the answer's to choose. */
interface RotaryLook {
  site: Site;
  query: number | null;
  key: number | null;
  pair: number;
  pointed: GridCell | null;
  picked: GridCell | null;
}

/** Words in an order of their own; `shift`: by how much the position of each is another. */
interface Arrangement {
  words: number[][]; // the tokens of each
  order: number[];
  shift: Record<number, number>;
}

type OrderPart = "before" | "after" | "difference";
interface OrderPlace extends GridCell {
  part: OrderPart;
}

/** What is chosen of the order. */
interface OrderLook extends Arrangement {
  sentence: string | null; // what the order is of
  movable: number[]; // the words that may change places
  usual: number[] | null; // the order that is left to the answer; null: all is said
  held: PositionOrder | null;
  mode: "on" | "off"; // with positions, or without
  at: number | null;
  pointed: OrderPlace | null;
  picked: OrderPlace | null;
  site: Site;
  chosen: number | null; // the place whose word is pressed
  given: any; // of a link: taken once
}
