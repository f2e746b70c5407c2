import { MONTHS, WEEKDAYS } from "./vocabulary.ts";

/** A word of a captured text, without the punctuation around it. */
export interface Word {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  /** Whether punctuation or a new part of the text follows. */
  readonly endsPhrase: boolean;
  /** Whether a dash follows, with spaces around it. */
  readonly isDashed: boolean;
  /** Whether a question ends here. */
  readonly isAsked: boolean;
  /** Whether it is quoted, a URL or the like, which is never read. */
  readonly isProtected: boolean;
  /** Whether it was read as a tag, a priority or a project. */
  readonly isSigil: boolean;
}

const MOMENT_WORDS: ReadonlySet<string> = new Set([
  ...MONTHS.keys(),
  ...WEEKDAYS.keys(),
  ..."on at am pm um uhr noon".split(" "),
]);

/** What no word of a date or time is longer than. */
const MAX_READ_LENGTH = 30;

const LEADING = new Set("(\"'„“‚‘«»[{*_~");
const TRAILING = new Set(",;:!?)\"'”“’‘»«]}*_~…");
const PAUSE = /[,;:!?)\].…]/u;
const DASH = /^[-–—]$/u;
const SEPARATOR = /^(?:[-–—|/]+|->|=>|→)$/u;
const ADDITION = /^(?:\S*$|(?:due|by|bis|spätestens)\s)/i;
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
  ["»", "«"],
  ["`", "`"],
  ["(", ")"],
]);

/** The words of a text. `sigils` are the parts that have been read before, each of which counts as one word. */
export function wordsOf(text: string, sigils: readonly { readonly start: number; readonly end: number }[]): Word[] {
  const words: Word[] = [];
  const quoted = quotedRanges(text);
  let quote = 0;
  let sigil = 0;
  for (const { 0: chunk, index } of text.matchAll(/\S+/gu)) {
    while ((sigils[sigil]?.end ?? Infinity) <= index) sigil += 1;
    while ((quoted[quote]?.[1] ?? Infinity) <= index) quote += 1;
    const isSigil = (sigils[sigil]?.start ?? Infinity) < index + chunk.length;
    if (!isSigil && SEPARATOR.test(chunk)) {
      const last = words.pop();
      if (last !== undefined) words.push({ ...last, endsPhrase: true, isDashed: DASH.test(chunk) });
      continue;
    }
    const flags = { isProtected: (quoted[quote]?.[0] ?? Infinity) < index + chunk.length, isSigil };
    const isAtTime = !isSigil && /^@\d/.test(chunk);
    if (isAtTime) words.push(wordOf("@", index, flags));
    words.push(isAtTime ? wordOf(chunk.slice(1), index + 1, flags) : wordOf(chunk, index, flags));
  }
  return words;
}

function wordOf(chunk: string, index: number, flags: Pick<Word, "isProtected" | "isSigil">): Word {
  if (chunk.length > MAX_READ_LENGTH) {
    return {
      text: "",
      lower: "",
      start: index,
      end: index + chunk.length,
      endsPhrase: false,
      isDashed: false,
      isAsked: false,
      isSigil: flags.isSigil,
      isProtected: true,
    };
  }
  let leading = 0;
  while (LEADING.has(chunk.charAt(leading))) leading += 1;
  let core = withoutTrailing(chunk.slice(leading), (character) => TRAILING.has(character));
  // The full stop after a number makes it an ordinal; after anything else it ends a sentence or an abbreviation.
  if (!/\d\.$/.test(core)) core = withoutTrailing(core, (character) => character === ".");
  const rest = chunk.slice(leading + core.length);
  const isAbbreviation = rest.startsWith(".") && core.length <= 4;
  return {
    text: core,
    lower: core.toLowerCase(),
    start: index + leading,
    end: index + leading + core.length,
    isDashed: false,
    isAsked: rest.includes("?"),
    endsPhrase: isAbbreviation ? PAUSE.test(rest.slice(1)) : PAUSE.test(rest),
    ...flags,
  };
}

/** The text up to the last character that is not to be removed. */
export function withoutTrailing(text: string, isRemoved: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isRemoved(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Whether a remark in brackets has only words of days and times, as in "(Dec 3, 10am)". */
function isMomentOnly(text: string): boolean {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .every((word) => /^\d[\d.:/]*(?:am|pm|h|st|nd|rd|th)?$/.test(word) || MOMENT_WORDS.has(word));
}

/** Where quoted text, code and remarks in brackets begin and end, in order. */
function quotedRanges(text: string): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  let position = 0;
  const missing = new Set<string>();
  while (position < text.length) {
    const close = QUOTES.get(text.charAt(position));
    const end = close === undefined || missing.has(close) ? -1 : text.indexOf(close, position + 1);
    // A single word in brackets, or when something is due, adds to what is before it.
    const inside = text.slice(position + 1, end);
    if (close === ")" && end !== -1 && (ADDITION.test(inside) || isMomentOnly(inside))) {
      position = end + 1;
      continue;
    }
    if (end === -1) {
      if (close !== undefined) missing.add(close);
      position += 1;
    } else {
      ranges.push([position, end + 1]);
      position = end + 1;
    }
  }
  return ranges;
}
