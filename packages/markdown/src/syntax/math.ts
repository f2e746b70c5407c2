import type { TokenizerAndRendererExtension } from "marked";
import { figureHtml } from "../figures/figure-html.ts";
import { findClosing, isSpace, type FindClosing } from "./delimited.ts";
import { startOf } from "./marked-text.ts";

/** Longer formulas are ordinary text. */
const MAX_FORMULA = 4_000;
const BLOCK_OPENING = /^ {0,3}\$\$/;
const REST_OF_LINE = /^[ \t]*(?:\n|$)/;

/** `$$` and `$$` around a formula of its own, perhaps of several lines. */
export const mathBlocks: TokenizerAndRendererExtension = {
  name: "mathBlock",
  level: "block",
  start(source) {
    // Only as far as the paragraph goes that it would end.
    const end = source.indexOf("\n\n");
    const at = (end < 0 ? source : source.slice(0, end)).indexOf("\n$$");
    return at < 0 ? undefined : at + 1;
  },
  tokenizer(source) {
    const raw = source.slice(0, mathBlockLength(source));
    if (raw === "") return undefined;
    return { type: "mathBlock", raw, text: raw.slice(raw.indexOf("$$") + 2, raw.lastIndexOf("$$")).trim() };
  },
  renderer: ({ text }) => figureHtml("pre", { kind: "math", source: String(text) }),
};

/** A formula within a line, and where it ends. */
export interface InlineMath {
  readonly to: number;
  readonly text: string;
  /** Whether it is shown as large as one of its own. */
  readonly isWide: boolean;
}

/** The formula that begins at a place in a text; null if there is none. Who looks at many places of it gives a search that is quicker. */
export function readInlineMath(
  source: string,
  from: number,
  closingOf: FindClosing = findClosing.bind(null, source),
): InlineMath | null {
  if (source[from] !== "$") return null;
  const mark = source.startsWith("$$", from) ? "$$" : source.startsWith("$`", from) ? "$`" : "$";
  const closing = mark === "$`" ? "`$" : mark;
  const start = from + mark.length;
  if (isSpace(source[start])) return null;
  const end = closingOf(closing, start, MAX_FORMULA);
  const to = end + closing.length;
  if (end < 0 || /^\d/.test(source.charAt(to))) return null;
  return { to, text: source.slice(start, end), isWide: mark === "$$" };
}

/** How long the block of a formula at the beginning of a text is; 0 if there is none. */
export function mathBlockLength(source: string): number {
  const opening = BLOCK_OPENING.exec(source)?.[0].length;
  if (opening === undefined) return 0;
  const end = source.slice(0, opening + MAX_FORMULA + 2).indexOf("$$", opening);
  const after = end < 0 ? undefined : REST_OF_LINE.exec(source.slice(end + 2, end + 200))?.[0].length;
  return after === undefined || source.slice(opening, end).trim() === "" ? 0 : end + 2 + after;
}

/** `$formula$`, `` $`formula`$ `` and `$$formula$$` within a line. Amounts such as $5 are not meant. */
export const inlineMath: TokenizerAndRendererExtension = {
  name: "inlineMath",
  level: "inline",
  start: (source) => startOf(source, "$"),
  tokenizer(source) {
    const formula = readInlineMath(source, 0);
    if (formula === null) return undefined;
    const { to, text, isWide } = formula;
    return { type: "inlineMath", raw: source.slice(0, to), text, isWide };
  },
  renderer: ({ text, isWide }) =>
    figureHtml("code", { kind: isWide === true ? "math" : "inline-math", source: String(text) }),
};
