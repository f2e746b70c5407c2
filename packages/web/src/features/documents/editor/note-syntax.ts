import { LanguageDescription, ParseContext } from "@codemirror/language";
import type { Parser } from "@lezer/common";
import { parseCode, type InlineContext, type MarkdownConfig, type MarkdownExtension } from "@lezer/markdown";
import { createClosingSearch, mathBlockLength, readInlineMath, type FindClosing } from "@workspace/markdown";
import { findLanguage } from "@workspace/markdown/languages";

const MARKED = { resolve: "MarkedText", mark: "MarkedTextMark" };
const [DOLLAR, EQUALS] = [36, 61];
const MAX_MATH_BLOCK = 5_000;

/** `==words==`, and formulas, as they are rendered. */
const marksAndFormulas: MarkdownConfig = {
  defineNodes: ["MarkedText", "MarkedTextMark", "InlineMath", { name: "MathBlock", block: true }],
  parseInline: [
    {
      name: "MarkedText",
      parse(context, next, from) {
        if (next !== EQUALS || context.char(from + 1) !== EQUALS || context.char(from + 2) === EQUALS) return -1;
        const [before, after] = [context.slice(from - 1, from), context.slice(from + 2, from + 3)];
        const [canOpen, canClose] = [/\S/.test(after), /\S/.test(before)];
        return context.addDelimiter(MARKED, from, from + 2, canOpen, canClose);
      },
      after: "Emphasis",
    },
    {
      name: "InlineMath",
      parse(context, next, from) {
        if (next !== DOLLAR) return -1;
        const formula = readInlineMath(context.text, from - context.offset, closingSearchIn(context));
        if (formula === null) return -1;
        return context.addElement(context.elt("InlineMath", from, formula.to + context.offset));
      },
      before: "Escape",
    },
  ],
  parseBlock: [
    {
      name: "MathBlock",
      before: "LinkReference",
      parse(context, line) {
        if (line.basePos !== 0 || !line.text.trimStart().startsWith("$$")) return false;
        const from = context.lineStart;
        // The parser only sees the next line.
        const text = ParseContext.get()?.state.doc.sliceString(from, from + MAX_MATH_BLOCK) ?? line.text;
        const end = from + text.slice(0, mathBlockLength(text)).trimEnd().length;
        if (end === from) return false;
        while (context.lineStart + line.text.length < end && context.nextLine());
        context.addElement(context.elt("MathBlock", from, Math.min(end, context.lineStart + line.text.length)));
        context.nextLine();
        return true;
      },
      endLeaf: (_context, line) => line.basePos === 0 && line.text.startsWith("$$"),
    },
  ],
};

/** The parser comes by all places of a paragraph, one after the other. */
const closingSearches = new WeakMap<InlineContext, FindClosing>();

function closingSearchIn(context: InlineContext): FindClosing {
  const search = closingSearches.get(context) ?? createClosingSearch(context.text);
  closingSearches.set(context, search);
  return search;
}

/** Reads the code of a language that has been loaded; otherwise it is read again once it has. */
function codeParser(info: string): Parser | null {
  const name = /^[^\s{,]+/.exec(info)?.[0].toLowerCase();
  const description = name === undefined ? null : findLanguage(name);
  if (!(description instanceof LanguageDescription)) return null;
  return description.support?.language.parser ?? ParseContext.getSkippingParser(description.load());
}

/** What notes have besides GitHub's Markdown. */
export const noteSyntax: readonly MarkdownExtension[] = [marksAndFormulas, parseCode({ codeParser })];
