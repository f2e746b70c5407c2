import { scanMarkdown } from "./link-ranges.ts";
import { tagsIn, type TagRange } from "./tag-form.ts";
import { createSpanSearch, type TextSpan } from "./text-spans.ts";

/** More than any person writes. Further tags in a generated file are ignored. */
const MAX_TAGS = 100;
const MAX_RANGES = 10_000;
const ADDRESS = /\b(?:https?:\/\/|mailto:|www\.)[^\s<>]{1,2000}/giu;

/**
 * The tags in the body of a Markdown text from an offset on, in order: not those in code, comments, links and addresses. Takes linear
 * time.
 */
export function findTagRanges(text: string, from = 0): TagRange[] {
  const found: TagRange[] = [];
  for (const range of tagsIn(text.slice(from), from)) {
    if (found.length === MAX_RANGES) break;
    found.push(range);
  }
  const last = found.at(-1);
  if (last === undefined) return found;
  const { lines, marked } = scanMarkdown(text, from, last.end);
  const lineOf = createSpanSearch(lines);
  const markAt = createSpanSearch(marked);
  const addressAt = createSpanSearch(addressesIn(text.slice(0, last.end)));
  return found.filter((span) => lineOf(span) !== null && markAt(span) === null && addressAt(span) === null);
}

/** The tags in the body of a Markdown text, each once, as it is first written. */
export function findTextTags(body: string): string[] {
  const tags = new Map<string, string>();
  for (const { tag } of findTagRanges(body)) {
    const key = tag.toLowerCase();
    if (!tags.has(key)) tags.set(key, tag);
    if (tags.size === MAX_TAGS) break;
  }
  return [...tags.values()];
}

function addressesIn(text: string): TextSpan[] {
  return Array.from(text.matchAll(ADDRESS), ({ 0: address, index }) => ({ start: index, end: index + address.length }));
}
