import type { MarkedToken, Token, Tokens } from "marked";
import { escapeHtml } from "../escape-html.ts";
import { calloutFrame, isCallout, type CalloutToken } from "../syntax/callouts.ts";
import { footnoteItem, type Footnote } from "../syntax/footnotes.ts";
import { noteMarkdown, readMarkdown } from "../syntax/note-markdown.ts";
import { textChunks } from "../text-chunks.ts";

/** A part of a note that is sanitised, inserted and laid out in one step, and is short enough for that. */
export interface Piece {
  readonly html: string;
  /** How many elements, from the first one inwards, continue from the previous piece, such as a long list or quote. */
  readonly continued: number;
}

/** Short blocks share a piece up to this many characters. */
const SHARED_CHARACTERS = 4_000;
/** A block that exceeds either of these is split. */
const MAX_CHARACTERS = 24_000;
const MAX_TAGS = 600;
/** After this many tags, the rest of a note is shown as it was written. */
const MAX_ALL_TAGS = 300_000;
const REST_NOTICE =
  '<aside data-callout="warning"><p data-callout="title">The rest takes too long to lay out</p>' +
  "<p>It is shown as it was written.</p></aside>";
/** Blocks nested more deeply are not split. */
const MAX_SPLIT_DEPTH = 6;
const CHUNK_CHARACTERS = 4_000;

const INLINE_IMAGE = /src="data:image\/[^"]*"/g;
const TAG = /<(\/?)([a-z][^\s<>/]*)/gi;
const VOID_ELEMENTS = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

/** Longer texts or paragraphs, or many nested lists or quotes in a single line, may take longer than one step. */
const MAX_QUICK_CHARACTERS = 3_000;
const MAX_QUICK_PARAGRAPH = 1_000;
const DEEP_LINE = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){12}/m;

/** Whether a note is short and simple enough to be rendered in one step, whatever it contains. */
export function isQuick(markdown: string): boolean {
  if (markdown.length > MAX_QUICK_CHARACTERS || DEEP_LINE.test(markdown)) return false;
  return markdown.split(/\n[ \t]*\n/).every(({ length }) => length <= MAX_QUICK_PARAGRAPH);
}

/** A part of a note that may be split: its source, its HTML, and how to split it. */
interface Part {
  readonly raw: string;
  readonly html: () => string;
  readonly split: () => Split;
  /**
   * How many elements it leaves open for what follows, like a `<details>` tag on its own; negative if it closes some.
   */
  readonly opened: number;
}

interface Split {
  /** The opening tags of the elements around the parts, when starting from the part at this index. */
  readonly open: (index: number) => string;
  readonly close: string;
  /** The number of elements around the parts. */
  readonly depth: number;
  readonly parts: readonly Part[];
}

const UNWRAPPED = { open: () => "", close: "", depth: 0 };
const CODE_BLOCK = { open: () => "<pre><code>", close: "</code></pre>", depth: 2 };

/** The state of iterating over a division. */
interface Level extends Omit<Split, "parts"> {
  readonly parts: Iterable<Part>;
  index: number;
  isStarted: boolean;
}

/** How much of a text is rendered. The rest is shown as it was written, after a sentence that says so. */
export interface RenderLimits {
  /** Whether the time for rendering is over. */
  readonly isOver?: () => boolean;
  readonly maxCharacters?: number;
}

/** A note as unsanitised HTML, piece by piece. Throws {@link RangeError} if it is nested too deeply. */
export function* notePieces(markdown: string, limits: RenderLimits = {}): Generator<Piece> {
  yield* splitParts([toLevel({ ...UNWRAPPED, parts: partsOf(markdown, limits) })]);
}

/** A note as unsanitised HTML. Throws like {@link notePieces}. */
export function renderNote(markdown: string, limits: RenderLimits = {}): string {
  return Array.from(partsOf(markdown, limits), ({ html }) => html()).join("");
}

/** The parts of a note, each read when it is asked for. */
function* partsOf(markdown: string, { isOver = () => false, maxCharacters = Infinity }: RenderLimits): Generator<Part> {
  const text = markdown.replaceAll(/\r\n?/g, "\n");
  const rendered = text.length > maxCharacters ? text.slice(0, endOfBlocks(text, maxCharacters)) : text;
  const read = readMarkdown(rendered, isOver);
  let [at, shown] = [0, 0];
  const isFull = (): boolean => isOver() || shown > MAX_ALL_TAGS;
  try {
    for (const block of read.blocks) {
      const part = blockPart(block);
      yield { ...part, html: () => countTags(part.html()) };
      at += block.raw.length;
      if (isFull() && at < text.length) break;
    }
  } catch (error) {
    // The addresses of a block are too long.
    if (!(error instanceof RangeError) || at === 0) throw error;
  }
  if (at < text.length) yield* restParts(text.slice(at));
  const footnotes = read.footnotes();
  if (footnotes.length > 0) yield footnotesPart(footnotes);

  function countTags(html: string): string {
    shown += html.split("<").length - 1;
    return html;
  }
}

/** Where to end a text that is longer than `max`, preferably after a block. */
function endOfBlocks(text: string, max: number): number {
  const end = text.lastIndexOf("\n\n", max);
  return end > max / 2 ? end + 2 : Math.max(text.lastIndexOf("\n", max) + 1, max / 2);
}

function restParts(rest: string): Part[] {
  const notice = {
    raw: "",
    html: () => REST_NOTICE,
    split: () => source(""),
    opened: 0,
  };
  const { open, close } = source(rest);
  const text = { raw: rest, html: () => open(0) + escapeHtml(rest) + close, split: () => source(rest), opened: 0 };
  return [notice, text];
}

/** The source of a text, piece by piece. */
export function* sourcePieces(text: string): Generator<Piece> {
  let continued = 0;
  for (const chunk of textChunks(text, CHUNK_CHARACTERS)) {
    yield { html: `<pre data-source="all">\n${escapeHtml(chunk)}</pre>`, continued };
    continued = 1;
  }
}

function toLevel(division: Omit<Level, "index" | "isStarted">): Level {
  return { ...division, index: 0, isStarted: false };
}

function* splitParts(path: readonly Level[]): Generator<Piece> {
  const level = path.at(-1);
  if (level === undefined) return;
  let [html, opened] = ["", 0];
  let index = -1;
  for (const part of level.parts) {
    index += 1;
    const own = part.html();
    const isSplit = isTooLong(own);
    const isFull = html.length + own.length > SHARED_CHARACTERS && opened === 0;
    if (html !== "" && (isSplit || isFull || isTooLong(html + own))) {
      yield toPiece(path, html);
      [html, opened] = ["", 0];
    }
    if (html === "") level.index = index;
    if (isSplit) {
      yield* splitParts([...path, toLevel(path.length > MAX_SPLIT_DEPTH ? source(part.raw) : part.split())]);
    } else {
      html += own;
      opened = Math.max(opened + part.opened, 0);
    }
  }
  if (html !== "") yield toPiece(path, html);
}

function toPiece(path: readonly Level[], html: string): Piece {
  const continued = path.reduce((sum, { isStarted, depth }) => sum + (isStarted ? depth : 0), 0);
  const before = path.map((level) => level.open(level.index)).join("");
  const after = path
    .map(({ close }) => close)
    .toReversed()
    .join("");
  for (const level of path) level.isStarted = true;
  return { html: before + html + after, continued };
}

function isTooLong(html: string): boolean {
  const shown = html.length > MAX_CHARACTERS ? html.replaceAll(INLINE_IMAGE, "") : html;
  if (shown.length > MAX_CHARACTERS) return true;
  let tags = 0;
  for (let at = shown.indexOf("<"); at >= 0; at = shown.indexOf("<", at + 1)) {
    tags += 1;
    if (tags > MAX_TAGS) return true;
  }
  return false;
}

function blockPart(token: Token): Part {
  return {
    raw: token.raw,
    html: () => noteMarkdown.parser([token]),
    split: () => splitBlock(token),
    opened: isKind(token, "html") ? openedIn(token.raw) : 0,
  };
}

function inlineParts(tokens: readonly Token[]): Part[] {
  return tokens.flatMap((token) => {
    if (!isKind(token, "text") || token.text.length <= CHUNK_CHARACTERS) return [inlinePart(token)];
    return [...textChunks(token.text, CHUNK_CHARACTERS)].map((text) => inlinePart({ ...token, raw: text, text }));
  });
}

function inlinePart(token: Token): Part {
  return {
    raw: token.raw,
    html: () => noteMarkdown.Parser.parseInline([token], noteMarkdown.defaults),
    split: () => source(token.raw),
    opened: isKind(token, "html") ? openedIn(token.raw) : 0,
  };
}

/** How to split a block that is too long for one step. A block without parts is shown as source. */
function splitBlock(token: Token): Split {
  if (isCallout(token)) return splitCallout(token);
  if (isKind(token, "list")) return splitList(token);
  if (isKind(token, "blockquote")) return around("blockquote", token.tokens.map(blockPart));
  if (isKind(token, "paragraph")) return splitWords(token, around("p", inlineParts(token.tokens)));
  if (isKind(token, "text")) return splitWords(token, { ...around("", inlineParts(token.tokens ?? [])), ...UNWRAPPED });
  if (isKind(token, "table")) return splitTable(token);
  if (isKind(token, "code")) return { ...around("pre", textParts(token.text)), ...CODE_BLOCK };
  return source(token.raw);
}

function isKind<Type extends MarkedToken["type"]>(
  token: Token,
  type: Type,
): token is Extract<MarkedToken, { readonly type: Type }> {
  return token.type === type;
}

/** Inline text that is too long within its marks cannot be split. */
function splitWords({ raw }: Token, words: Split): Split {
  return words.parts.length === 0 || words.parts.some((part) => isTooLong(part.html())) ? source(raw) : words;
}

function splitList({ ordered, start, items }: Tokens.List): Split {
  return {
    open: (index) => (ordered ? `<ol start="${Number(start) + index}">` : "<ul>"),
    close: ordered ? "</ol>" : "</ul>",
    depth: 1,
    parts: items.map(({ raw, tokens }) => ({
      raw,
      html: () => `<li>${noteMarkdown.parser(tokens)}</li>`,
      split: () => around("li", tokens.map(blockPart)),
      opened: 0,
    })),
  };
}

/** A callout that is split cannot be folded; each part but the first repeats nothing of its title. */
function splitCallout({ header, titleTokens, tokens }: CalloutToken): Split {
  const title = noteMarkdown.Parser.parseInline(titleTokens, noteMarkdown.defaults);
  const { opening, closing } = calloutFrame({ ...header, fold: "none" }, title);
  const frame = opening.slice(0, opening.indexOf(">") + 1);
  return {
    open: () => frame,
    close: closing,
    depth: 1,
    parts: [
      { raw: header.title, html: () => opening.slice(frame.length), split: () => source(header.title), opened: 0 },
      ...tokens.map(blockPart),
    ],
  };
}

/** The list of footnotes at the end of a text. */
function footnotesPart(footnotes: readonly Footnote[]): Part {
  const opening = '<section data-anchor="footnotes">';
  const parts = footnotes.map((footnote) => ({
    raw: footnote.raw,
    html: () => footnoteItem(footnote, (tokens) => noteMarkdown.parser(tokens)),
    split: () => source(footnote.raw),
    opened: 0,
  }));
  return {
    raw: footnotes.map(({ raw }) => raw).join(""),
    html: () => `${opening}<ol>${parts.map(({ html }) => html()).join("")}</ol></section>`,
    split: () => ({
      open: (index) => `${opening}<ol start="${index + 1}">`,
      close: "</ol></section>",
      depth: 2,
      parts,
    }),
    opened: 0,
  };
}

/** Each part of a table repeats its header. */
function splitTable(table: Tokens.Table): Split {
  const header = noteMarkdown.parser([{ ...table, rows: [] }]);
  if (isTooLong(header)) return source(table.raw);
  const opening = `${header.slice(0, header.lastIndexOf("</table>"))}<tbody>`;
  return {
    open: () => opening,
    close: "</tbody></table>",
    depth: 1,
    parts: table.rows.map((row) => ({
      raw: row.map(({ text }) => text).join(" | "),
      html: () => `<tr>${row.map(toCell).join("")}</tr>`,
      split: () => source(row.map(({ text }) => text).join(" | ")),
      opened: 0,
    })),
  };
}

function toCell({ align, tokens }: Tokens.TableCell): string {
  const content = noteMarkdown.Parser.parseInline(tokens, noteMarkdown.defaults);
  return `<td${align === null ? "" : ` align="${align}"`}>${content}</td>`;
}

function source(raw: string): Split {
  return { ...around("pre", textParts(raw)), open: () => '<pre data-source="part">\n' };
}

function textParts(text: string): Part[] {
  return [...textChunks(text, CHUNK_CHARACTERS)].map((raw) => ({
    raw,
    html: () => escapeHtml(raw),
    split: () => source(raw),
    opened: 0,
  }));
}

function around(tag: string, parts: readonly Part[]): Split {
  return { open: () => `<${tag}>`, close: `</${tag}>`, depth: 1, parts };
}

function openedIn(html: string): number {
  let opened = 0;
  for (const [, end, tag = ""] of html.matchAll(TAG)) {
    if (!VOID_ELEMENTS.has(tag.toLowerCase())) opened += end === "/" ? -1 : 1;
  }
  return opened;
}
