import type { Pausable } from "../../../browser/compute-in-slices.ts";

/** A heading of a note. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  /** Where its line begins. */
  readonly offset: number;
}

/** More than anybody reads in a list. */
const MAX_HEADINGS = 2_000;
const MAX_TEXT = 300;
const HEADING = /^ {0,3}(#{1,6})(?=[ \t])/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The headings of a Markdown text, in order; not those in code blocks. Yields after each part, so that it may be run in slices. */
export function* headingsOf(text: string): Pausable<Heading[]> {
  const headings: Heading[] = [];
  let fence: string | null = null;
  let count = 0;
  for (let start = 0; start < text.length && headings.length < MAX_HEADINGS; count += 1) {
    if (count % 500 === 499) yield;
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end;
    const line = text.slice(start, Math.min(next, start + MAX_TEXT * 4)).replace(/\r$/, "");
    const mark: string | undefined = FENCE.exec(line)?.[1];
    if (mark !== undefined && fence === null) fence = mark;
    else if (fence !== null) {
      const closes = mark?.startsWith(fence) === true && line.trim() === mark;
      if (closes) fence = null;
    } else {
      const [matched = "", marks = ""] = HEADING.exec(line) ?? [];
      const shown = marks === "" ? "" : plainText(withoutClosing(line.slice(matched.length).trim()));
      if (shown !== "") headings.push({ level: marks.length, text: shown, offset: start });
    }
    start = next + 1;
  }
  return headings;
}

/** The index of the heading above an offset; -1 before the first one. */
export function headingAt(headings: readonly Heading[], offset: number): number {
  let [low, high] = [0, headings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((headings[middle]?.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Without the closing sequence that a heading may have: `# text ##`. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end === 0 || /\s/.test(text[end - 1] ?? "") ? text.slice(0, end) : text;
}

/** Without the marks of emphasis, code and links. */
function plainText(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replaceAll(/!?\[\[(?:[^\]|]{0,300}\|)?([^\]]{0,300})\]\]/g, "$1")
    .replaceAll(/!?\[([^\]]{0,300})\]\([^)]{0,300}\)/g, "$1")
    .replaceAll(/[*_`~]{1,3}(\S[^*_`~]{0,300})[*_`~]{1,3}/g, "$1")
    .trim();
}
