const TAB_WIDTH = 4;
const CODE_INDENTATION = 4;
const MIN_FENCE = 3;
/** Deeper lists and quotes are read as if they were this deep, so that no line is examined for long. */
const MAX_NESTING = 100;
const LIST_MARKER = /(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/y;
const MAY_BEGIN_ITEM = charCodes("-*+0123456789");
const MAY_END_PARAGRAPH = charCodes("#-=*_");
/** A heading, or a line of the marks that underline headings and divide sections. No paragraph goes on after it. */
const NOT_IN_PARAGRAPH = /^(?:#{1,6}(?:[ \t]|$)|(?:[-=*_][ \t]*){2,}$)/;

/** A line of a text that is not code, without the marks of the quotes and lists that it is in. */
export interface TextLine {
  readonly start: number;
  /** The line break, or the end of the text. */
  readonly end: number;
  /** Whether the line begins a block instead of continuing a paragraph. */
  readonly beginsBlock: boolean;
}

/** Going through this many lines takes less than a millisecond. */
const LINES_AT_ONCE = 1_000;

/**
 * The lines of a Markdown text from an offset that are neither blank nor in a code block; null now and then where there is none, so
 * that whoever goes through a long text can yield. Runs in linear time.
 */
export function* markdownLines(text: string, from: number): Generator<TextLine | null> {
  const block = createBlock();
  let skipped = 0;
  for (let lineStart = from; lineStart < text.length;) {
    const lineBreak = text.indexOf("\n", lineStart);
    const end = lineBreak === -1 ? text.length : lineBreak;
    const line = block.read(text, lineStart, end);
    if (line !== null || ++skipped % LINES_AT_ONCE === 0) yield line;
    lineStart = end + 1;
  }
}

/** Which blocks the current line is in: a quote, lists by the columns at which their content begins, a paragraph, a fence. */
function createBlock() {
  let quoteDepth = 0;
  let lists: number[] = [];
  let isInParagraph = false;
  /** The length of the fence that has opened the current code block; 0 outside of one. */
  let fenceLength = 0;
  let fenceCharacter = 0;

  /** Begins the list items that a line starts with. Returns where their content is. */
  function enterLists(text: string, at: Indentation, end: number): Indentation {
    let place = at;
    while (lists.length < MAX_NESTING && place.column - baseOf(lists) < CODE_INDENTATION) {
      LIST_MARKER.lastIndex = place.index;
      const marker = LIST_MARKER.exec(text)?.[0];
      if (marker === undefined) return place;
      isInParagraph = false;
      const markerEnd = place.column + marker.length;
      const content = skipSpaces(text, { index: place.index + marker.length, column: markerEnd }, end);
      const isCode = content.column - markerEnd > CODE_INDENTATION;
      lists.push(isCode || content.index >= end ? markerEnd + 1 : content.column);
      place = content;
    }
    return place;
  }

  function leaveLists(text: string, { index, column }: Indentation): void {
    if (column >= baseOf(lists)) return;
    LIST_MARKER.lastIndex = index;
    // The next line of a paragraph need not be indented.
    if (isInParagraph && !LIST_MARKER.test(text)) return;
    while (lists.length > 0 && column < baseOf(lists)) lists.pop();
    isInParagraph = false;
    fenceLength = 0;
  }

  function leaveQuote(depth: number): void {
    if (depth === quoteDepth || (isInParagraph && depth < quoteDepth)) return;
    quoteDepth = depth;
    lists = [];
    fenceLength = 0;
    isInParagraph = false;
  }

  return {
    /** The text in a line; null if it is blank or code. */
    read(text: string, lineStart: number, end: number): TextLine | null {
      const quote = skipQuotes(text, lineStart, end);
      const indentation = skipSpaces(text, { index: quote.index, column: 0 }, end);
      if (isBlank(text, indentation.index, end)) {
        isInParagraph = false;
        if (quote.depth < quoteDepth) leaveQuote(quote.depth);
        return null;
      }
      leaveQuote(quote.depth);
      leaveLists(text, indentation);
      if (fenceLength > 0) {
        const isClosing =
          text.charCodeAt(indentation.index) === fenceCharacter &&
          indentation.column - baseOf(lists) < CODE_INDENTATION &&
          closesFence(text, indentation.index, end, fenceLength);
        if (isClosing) fenceLength = 0;
        return null;
      }
      const content = MAY_BEGIN_ITEM.has(text.charCodeAt(indentation.index))
        ? enterLists(text, indentation, end)
        : indentation;
      const base = baseOf(lists);
      if (!isInParagraph && content.column - base >= CODE_INDENTATION) return null;
      if (isBlank(text, content.index, end)) return null;
      fenceLength = lengthOfFence(text, content.index, end);
      if (fenceLength > 0) {
        fenceCharacter = text.charCodeAt(content.index);
        isInParagraph = false;
        return null;
      }
      const beginsBlock = !isInParagraph;
      isInParagraph = !(
        MAY_END_PARAGRAPH.has(text.charCodeAt(content.index)) &&
        NOT_IN_PARAGRAPH.test(text.slice(content.index, Math.min(end, content.index + 200)).trimEnd())
      );
      return { start: content.index, end, beginsBlock };
    },
  };
}

interface Indentation {
  readonly index: number;
  /** Where the text begins if tabs reach to the next multiple of four. */
  readonly column: number;
}

function skipSpaces(text: string, { index, column }: Indentation, end: number): Indentation {
  let [at, width] = [index, column];
  for (; at < end; at += 1) {
    if (text[at] === " ") width += 1;
    else if (text[at] === "\t") width += TAB_WIDTH - (width % TAB_WIDTH);
    else break;
  }
  return { index: at, column: width };
}

function skipQuotes(text: string, start: number, end: number): { index: number; depth: number } {
  let [index, depth] = [start, 0];
  while (depth < MAX_NESTING) {
    let mark = index;
    while (mark < index + 3 && text[mark] === " ") mark += 1;
    if (mark >= end || text[mark] !== ">") break;
    index = text[mark + 1] === " " ? mark + 2 : mark + 1;
    depth += 1;
  }
  return { index, depth };
}

function isBlank(text: string, index: number, end: number): boolean {
  return index >= end || (text[index] === "\r" && index + 1 === end);
}

/** The length of the fence that a line opens; 0 if it opens none. */
function lengthOfFence(text: string, start: number, end: number): number {
  const character = text[start];
  if (character !== "`" && character !== "~") return 0;
  const afterRun = endOfRun(text, start, end);
  if (afterRun - start < MIN_FENCE) return 0;
  if (character === "~") return afterRun - start;
  const next = text.indexOf("`", afterRun);
  // Otherwise it is a code span.
  return next === -1 || next >= end ? afterRun - start : 0;
}

function closesFence(text: string, start: number, end: number, length: number): boolean {
  const afterRun = endOfRun(text, start, end);
  return afterRun - start >= length && text.slice(afterRun, end).trim() === "";
}

/** The end of a run of equal characters. */
function endOfRun(text: string, start: number, end: number): number {
  const code = text.charCodeAt(start);
  let at = start + 1;
  while (at < end && text.charCodeAt(at) === code) at += 1;
  return at;
}

function baseOf(lists: readonly number[]): number {
  return lists.at(-1) ?? 0;
}

/** The codes of some ASCII characters: comparing them is several times as fast as comparing characters. */
export function charCodes(characters: string): ReadonlySet<number> {
  return new Set(Buffer.from(characters));
}
