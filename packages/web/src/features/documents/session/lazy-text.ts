/**
 * A text that is turned into a string only when somebody needs one. For half a megabyte that takes about ten milliseconds,
 * which is too long to do on every keystroke. A string is one, too.
 */
export interface LazyText {
  readonly length: number;
  slice(from: number, to?: number): string;
  toString(): string;
}
