import { scanMarkdown, type TextSpan } from "./link-ranges.ts";

/** A shorter name occurs in too many texts by chance. */
const MIN_NAME_LENGTH = 3;
const MAX_MENTIONS = 1_000;
const ADDRESS = /\b(?:https?:\/\/|mailto:|www\.)[^\s<>]{1,2000}/giu;
const BEFORE_TABLE_CELL = /^\s*\|/;

/** A name in a text. */
export interface Mention extends TextSpan {
  /** Whether it is in a row of a table, where a bar has to be escaped. */
  readonly isInTable: boolean;
}

/** The names by which a document may be mentioned: those that are long enough, without duplicates. */
export function mentionableNames(names: readonly string[]): string[] {
  const trimmed = names.map((name) => name.trim()).filter((name) => name.length >= MIN_NAME_LENGTH);
  return [...new Map(trimmed.map((name) => [name.toLowerCase(), name])).values()];
}

/** Where a Markdown text mentions any of some names as whole words, in any case, outside of code, comments, links and addresses. */
export function findMentions(text: string, from: number, names: readonly string[]): Mention[] {
  const wanted = mentionableNames(names);
  if (wanted.length === 0) return [];
  const { lines, marked } = scanMarkdown(text, from);
  const word = namePattern(wanted);
  const mentions: Mention[] = [];
  let next = 0;
  for (const { start, end } of lines) {
    while (next < marked.length && (marked[next]?.end ?? 0) <= start) next += 1;
    const line = text.slice(start, end);
    const found = [...line.matchAll(word)];
    if (found.length === 0) continue;
    const addresses = [...line.matchAll(ADDRESS)].map(({ 0: address, index }) => spanAt(start + index, address));
    const isInTable = BEFORE_TABLE_CELL.test(line);
    const hidden = [...spansWithin(marked, next, end), ...addresses];
    for (const { 0: name, index } of found) {
      const span = spanAt(start + index, name);
      if (mentions.length < MAX_MENTIONS && !hidden.some((other) => overlaps(span, other))) {
        mentions.push({ ...span, isInTable });
      }
    }
  }
  return mentions;
}

function namePattern(names: readonly string[]): RegExp {
  const longestFirst = names.toSorted((one, other) => other.length - one.length);
  const alternatives = longestFirst.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${alternatives})(?![\\p{L}\\p{N}_])`, "giu");
}

function spansWithin(spans: readonly TextSpan[], from: number, end: number): TextSpan[] {
  const within: TextSpan[] = [];
  for (let index = from; index < spans.length; index += 1) {
    const span = spans[index];
    if (span === undefined || span.start >= end) break;
    within.push(span);
  }
  return within;
}

function spanAt(start: number, text: string): TextSpan {
  return { start, end: start + text.length };
}

function overlaps(one: TextSpan, other: TextSpan): boolean {
  return one.start < other.end && other.start < one.end;
}
