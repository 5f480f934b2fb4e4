/** What `html` gives: what is to be drawn, not yet nodes. */
export interface Template {
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}

export const LICENCE: string;
export const lit: {
  html(strings: TemplateStringsArray, ...values: unknown[]): Template;
  svg(strings: TemplateStringsArray, ...values: unknown[]): Template;
  render(value: unknown, container: Node): unknown;
  /** As a value of an attribute: leave it out. As a child: none. */
  readonly nothing: symbol;
  /** What a directive gives that has put its value in place by itself. */
  readonly noChange: symbol;
};
