import { Language, LanguageSupport } from "@codemirror/language";
import { markdownLanguage, pasteURLAsLink } from "@codemirror/lang-markdown";
import { Parser, type Input, type PartialParse, type TreeFragment } from "@lezer/common";
import { MarkdownParser, type MarkdownConfig } from "@lezer/markdown";
import { noteSyntax } from "./note-syntax.ts";

/** Longer lines are skipped, because the parser reads a paragraph with all of its lines in one step. */
const MAX_LINE = 4_000;
/** The same for a line of which a quarter is markup, because parsing markup takes quadratic time. */
const MAX_DENSE_LINE = 300;
const MARK = /[*_~[\]`<|]/g;
/**
 * A paragraph is split at the first line beyond each multiple of these, unless there is an empty line shortly before. At a
 * line that is dense with markup, half of it applies.
 */
const STRETCH = 8_000;
const LONG_STRETCH = 32_000;
/** In such lines, a new list item, heading or code block begins; tables may take some more time. */
const OWN_BLOCK = /^\s*(?:[-*+#|]|```|~~~)/;
const EMPTY_LINE = /\n[ \t]*\n/;
/** Empty lines are read in one step, too, so this many of them are not read as such. */
const MANY_EMPTY_LINES = "\n".repeat(1_000);
/** A line that starts with this private-use character is not read. */
const UNREAD = "\ue000";

/** Takes each line that is not to be read as a block of its own, without looking at the rest of it. */
const unreadLines: MarkdownConfig = {
  defineNodes: [{ name: "Unread", block: true }],
  parseBlock: [
    {
      name: "Unread",
      before: "LinkReference",
      parse: (context, line) => {
        if (!line.text.startsWith(UNREAD)) return false;
        context.addElement(context.elt("Unread", context.lineStart, context.lineStart + line.text.length));
        context.nextLine();
        return true;
      },
      endLeaf: (_context, line) => line.text.startsWith(UNREAD),
    },
  ],
};

/**
 * Markdown for the editor, for any text: very long lines are not parsed as Markdown, and neither are occasional lines of a very
 * long paragraph. What is not parsed looks like plain text.
 */
export function calmMarkdown(): LanguageSupport {
  // Not `markdown()`, which parses HTML as well, at twenty microseconds per tag. It has the same data as Markdown's own
  // language, so that commands for Markdown recognize it.
  const { data, parser } = markdownLanguage;
  if (!(parser instanceof MarkdownParser)) throw new TypeError("The parser of Markdown cannot be configured.");
  const language = new Language(data, new CalmParser(parser.configure([unreadLines, ...noteSyntax])), [], "markdown");
  return new LanguageSupport(language, pasteURLAsLink);
}

class CalmParser extends Parser {
  readonly #parser: Parser;

  constructor(parser: Parser) {
    super();
    this.#parser = parser;
  }

  override createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: readonly { from: number; to: number }[],
  ): PartialParse {
    return this.#parser.createParse(new CalmInput(input), fragments, ranges);
  }
}

/** A text in which the parts that are not to be parsed are replaced. */
class CalmInput implements Input {
  readonly lineChunks = true;
  readonly #input: Input;

  constructor(input: Input) {
    this.#input = input;
  }

  get length(): number {
    return this.#input.length;
  }

  chunk(from: number): string {
    const line = this.#lineAt(from);
    const length = this.#unreadLength(from, line);
    return length === 0 ? line : UNREAD.padEnd(length);
  }

  read(from: number, to: number): string {
    return this.#input.read(from, to);
  }

  /** A chunk of the editor's text is a line, or the line break after it. */
  #lineAt(from: number): string {
    const chunk = this.#input.chunk(from);
    if (this.#input.lineChunks) return chunk;
    const end = chunk.indexOf("\n");
    return end < 0 ? chunk : chunk.slice(0, end);
  }

  #unreadLength(from: number, line: string): number {
    if (line !== "\n") return this.#isRead(from, line) ? 0 : line.length;
    // The last line break ends the line that stands for all of them.
    const isAmongMany = [10, MANY_EMPTY_LINES.length].every((count) =>
      MANY_EMPTY_LINES.startsWith(this.#input.read(from, from + count)),
    );
    return isAmongMany && from + MANY_EMPTY_LINES.length <= this.length ? MANY_EMPTY_LINES.length - 1 : 0;
  }

  #isRead(from: number, line: string): boolean {
    if (line.length > MAX_LINE) return false;
    const isOfMarks = isDense(line);
    if (isOfMarks && line.length > MAX_DENSE_LINE) return false;
    const stretch = (OWN_BLOCK.test(line) ? LONG_STRETCH : STRETCH) / (isOfMarks ? 2 : 1);
    const isAtBoundary = Math.floor(from / stretch) !== Math.floor((from + line.length + 1) / stretch);
    return !isAtBoundary || EMPTY_LINE.test(this.#input.read(Math.max(from - stretch / 2, 0), from));
  }
}

function isDense(line: string): boolean {
  return (line.match(MARK)?.length ?? 0) * 4 > line.length;
}
