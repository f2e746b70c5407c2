import { scanMarkdown } from "./link-ranges.ts";
import { createSpanSearch, type TextSpan } from "./text-spans.ts";

/** A shorter name occurs in too many texts by chance. */
const MIN_NAME_LENGTH = 3;
/** Mentions further on are not looked for. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_MENTIONS = 1_000;
const ADDRESS = /\b(?:https?:\/\/|mailto:|www\.)[^\s<>]{1,2000}/giu;

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
export function findMentions(wholeText: string, from: number, names: readonly string[]): Mention[] {
  const wanted = mentionableNames(names);
  if (wanted.length === 0) return [];
  const text = wholeText.slice(0, MAX_CHARACTERS);
  const found = takeSpans(text.matchAll(namePattern(wanted)));
  if (found.length === 0) return [];
  const { lines, marked } = scanMarkdown(text, from);
  const lineOf = createSpanSearch(lines);
  const markAt = createSpanSearch(marked);
  const addressAt = createSpanSearch(takeSpans(text.matchAll(ADDRESS)));
  return found.flatMap((span) => {
    const line = lineOf(span);
    if (line === null || markAt(span) !== null || addressAt(span) !== null) return [];
    return [{ ...span, isInTable: text[line.start] === "|" }];
  });
}

function takeSpans(matches: Iterable<RegExpExecArray>): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const { 0: name, index } of matches) {
    if (spans.length === MAX_MENTIONS) break;
    spans.push({ start: index, end: index + name.length });
  }
  return spans;
}

function namePattern(names: readonly string[]): RegExp {
  const longestFirst = names.toSorted((one, other) => other.length - one.length);
  const alternatives = longestFirst.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${alternatives})(?![\\p{L}\\p{N}_])`, "giu");
}
