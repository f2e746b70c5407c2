import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml } from "../escape-html.ts";
import { figureHtml } from "../figures/figure-html.ts";
import { callouts } from "./callouts.ts";
import { footnoteDefinitions, FootnoteNumbers, footnoteReferences, type Footnote } from "./footnotes.ts";
import { headingAnchor, HeadingAnchors } from "./heading-anchors.ts";
import { markedText } from "./marked-text.ts";
import { NoteLexer } from "./note-lexer.ts";
import { taskNumber, TaskNumbers } from "./task-numbers.ts";
import { inlineMath, mathBlocks } from "./math.ts";
import { wikiLinks } from "./wiki-links.ts";

/** Rows with fewer cells than the header are padded, so a short text can request a great many cells. */
const MAX_TABLE_CELLS = 300_000;
/**
 * The limit for the total length of link addresses, as a multiple of the text's: a definition can be used any number of
 * times.
 */
const MAX_URL_SHARE = 4;
const MIN_URL_LIMIT = 1_000_000;
const DELIMITER_ROW = /^[ |:-]+$/;
const MAX_LANGUAGE = 40;

/**
 * The Markdown of notes. Its HTML is not sanitised. Task checkboxes have their index in `data-task`, targets of links within
 * the text their name in `data-anchor`, and what a browser shows as more than text has `data-figure`.
 */
export const noteMarkdown = new Marked({
  gfm: true,
  async: false,
  extensions: [wikiLinks, markedText, inlineMath, mathBlocks, callouts, footnoteReferences, footnoteDefinitions],
  tokenizer: {
    // Undefined means that this is not a table; false falls back to the default Markdown rules.
    table: (source) => (cellsOfTable(source) > MAX_TABLE_CELLS ? undefined : false),
  },
  renderer: {
    checkbox: (token: Tokens.Checkbox) =>
      `<input type="checkbox"${token.checked ? ' checked=""' : ""} data-task="${taskNumber(token) ?? ""}"> `,
    code: ({ text, lang }: Tokens.Code) => codeHtml(text, lang ?? ""),
    heading(token: Tokens.Heading) {
      const anchor = headingAnchor(token);
      const attribute = anchor === undefined || anchor === "" ? "" : ` data-anchor="${escapeHtml(anchor)}"`;
      return `<h${token.depth}${attribute}>${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
    },
  },
});

function codeHtml(source: string, info: string): string {
  const language = /^[^\s{,]+/.exec(info)?.[0].slice(0, MAX_LANGUAGE).toLowerCase();
  if (language === "math") return figureHtml("pre", { kind: "math", source });
  if (language === "mermaid") return figureHtml("pre", { kind: "mermaid", source });
  return language === undefined
    ? `<pre><code>${escapeHtml(source)}\n</code></pre>\n`
    : figureHtml("pre", { kind: "code", source, language });
}

/** A text that is being read. */
export interface ReadMarkdown {
  /** Its blocks, in order. Each is read when it is asked for, and can be used then. */
  readonly blocks: Iterable<Token>;
  /** The footnotes that the blocks so far refer to, in the order of their numbers. */
  footnotes(): readonly Footnote[];
}

/**
 * Reads a text, and numbers its tasks and footnotes. Words are taken as they were written as soon as `isOver` returns true; so a
 * block is finished in any case. Throws {@link RangeError} if the text is nested too deeply, or at the block with which the HTML
 * would become disproportionately long.
 */
export function readMarkdown(text: string, isOver: () => boolean = () => false): ReadMarkdown {
  const lexer = new NoteLexer(noteMarkdown.defaults, isOver);
  const blocks = lexer.readBlocks(text);
  const footnotes = new FootnoteNumbers();
  void noteMarkdown.walkTokens(blocks, (token) => footnotes.define(token));
  const [anchors, tasks, urls] = [new HeadingAnchors(), new TaskNumbers(text), new UrlLimit(text)];

  function read(block: Token): Token {
    void noteMarkdown.walkTokens([block], (token) => {
      lexer.readWords(token);
      footnotes.add(token);
      anchors.add(token);
      tasks.add(token);
      urls.add(token);
    });
    return block;
  }

  return {
    blocks: (function* () {
      for (const block of blocks) yield read(block);
    })(),
    footnotes: () => footnotes.known(),
  };
}

/** Adds up the addresses of links. */
class UrlLimit {
  #left: number;

  constructor(text: string) {
    this.#left = Math.max(MIN_URL_LIMIT, text.length * MAX_URL_SHARE);
  }

  add(token: Token): void {
    if (token.type !== "link" && token.type !== "image") return;
    this.#left -= String(token["href"]).length + String(token["title"] ?? "").length;
    if (this.#left < 0) throw new RangeError("The addresses in the text are too long.");
  }
}

/** How many cells a table at the beginning of a text would have; 0 if there is none. */
function cellsOfTable(source: string): number {
  const headerEnd = source.indexOf("\n");
  const delimiterEnd = source.indexOf("\n", headerEnd + 1);
  if (headerEnd < 0 || delimiterEnd < 0) return 0;
  if (!DELIMITER_ROW.test(source.slice(headerEnd + 1, delimiterEnd))) return 0;
  const end = source.indexOf("\n\n", delimiterEnd);
  const rows = countOf("\n", end < 0 ? source : source.slice(0, end));
  return rows * (countOf("|", source.slice(0, headerEnd)) + 1);
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}
