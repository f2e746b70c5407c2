import type { TokenizerAndRendererExtension } from "marked";
import { findClosing, isSpace } from "./delimited.ts";

const MAX_MARKED = 4_000;

/** `==words==`, highlighted. */
export const markedText: TokenizerAndRendererExtension = {
  name: "markedText",
  level: "inline",
  start: (source) => startOf(source, "=="),
  tokenizer(source) {
    if (!source.startsWith("==") || source[2] === "=" || isSpace(source[2])) return undefined;
    const end = findClosing(source, "==", 2, MAX_MARKED);
    if (end < 0) return undefined;
    return {
      type: "markedText",
      raw: source.slice(0, end + 2),
      tokens: this.lexer.inlineTokens(source.slice(2, end)),
    };
  },
  renderer({ tokens = [] }) {
    return `<mark>${this.parser.parseInline(tokens)}</mark>`;
  },
};

/** Where the next occurrence may begin, as marked asks for it. */
export function startOf(source: string, mark: string): number | undefined {
  const at = source.indexOf(mark);
  return at < 0 ? undefined : at;
}
