import { relativeTo } from "./relink.ts";
import { replaceInSlices, type Replacement } from "./replace-in-slices.ts";

const PAGE_URL =
  /(?<=\]\()https:\/\/(?:www\.)?notion\.(?:so|com)\/(?:[^\s()/?#]{1,100}\/)?(?:[^\s()/?#]{0,300}-)?([0-9a-f]{32})(?:[?#][^\s()]{0,300})?(?=\))/g;
/** The first line of a callout is its icon. */
const MAX_ICON_LENGTH = 12;

/** Changes links to pages on Notion's site that are in the export. */
export function withPageLinks(text: string, place: Place): Promise<string> {
  return replaceInSlices(text, pageLinksIn(text, place));
}

interface Place {
  readonly target: string;
  readonly pagesById: ReadonlyMap<string, string>;
}

function* pageLinksIn(text: string, { target, pagesById }: Place): Generator<Replacement | null> {
  for (const { 0: url, 1: id = "", index } of text.matchAll(PAGE_URL)) {
    const page = pagesById.get(id);
    const link = page === undefined ? null : encodePath(relativeTo(target, page));
    yield link === null ? null : { start: index, end: index + url.length, text: link };
  }
}

/** A page in brackets, after its title: found from the bracket on, so that a long text without any takes linear time. */
const RELATION =
  /(?<=[^,()\n]) \(((?:https:\/\/[^\s()]{1,300}|[^\s()]{1,500})[0-9a-f]{32}(?:\.(?:md|csv|html)|[?#][^\s()]{0,300})?)\)/g;
const MAX_TITLE_LENGTH = 200;
const NOT_IN_TITLE = /[,()\n]/;

/** Makes links of the pages that the properties of a page name. Those are lines after its title, with the names of columns. */
export function withRelations(text: string, columns: readonly string[]): Promise<string> {
  return replaceInSlices(text, relationsIn(text, new Set(columns)));
}

function* relationsIn(text: string, columns: ReadonlySet<string>): Generator<Replacement | null> {
  const titleEnd = text.indexOf("\n");
  if (titleEnd === -1) return;
  for (const { start, end } of linesIn(text, titleEnd + 1, text.length)) {
    const line = text.slice(start, end);
    if (start === titleEnd + 1 && line.trim() === "") continue;
    const colon = line.indexOf(": ");
    if (colon < 0 || !columns.has(line.slice(0, colon))) return;
    yield null;
    yield* linkedTitles(line.slice(colon + 2), start + colon + 2);
  }
}

function* linkedTitles(value: string, offset: number): Generator<Replacement> {
  let keptTo = 0;
  for (const { 0: whole, 1: target = "", index } of value.matchAll(RELATION)) {
    const title = titleBefore(value.slice(Math.max(keptTo, index - MAX_TITLE_LENGTH), index));
    const space = /^\s*/.exec(title)?.[0] ?? "";
    const label = title.trim().replaceAll(/[[\]]/g, "\\$&");
    keptTo = index + whole.length;
    yield { start: offset + index - title.length, end: offset + keptTo, text: `${space}[${label}](${target})` };
  }
}

function titleBefore(text: string): string {
  let start = text.length;
  while (start > 0 && !NOT_IN_TITLE.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start);
}

/** Turns `<aside>` blocks, which are callouts, into those of Markdown. */
export function withCallouts(text: string): Promise<string> {
  return replaceInSlices(text, calloutsIn(text));
}

/** Whatever the text, no line is compared more than twice. */
function* calloutsIn(text: string): Generator<Replacement | null> {
  const closing = linesThatAre("</aside>", text);
  let end = closing.next().value;
  let readTo = 0;
  for (const opening of linesThatAre("<aside>", text)) {
    yield null;
    if (opening === null || opening.start < readTo) continue;
    while (end !== undefined && (end === null || end.start < opening.end)) {
      end = closing.next().value;
      yield null;
    }
    if (end === undefined) return;
    yield* toCallout(text, opening, end);
    readTo = end.end;
  }
}

function* toCallout(text: string, opening: Line, closing: Line): Generator<Replacement> {
  const bodyStart = opening.end + 1;
  // The line break before the last line is none of the body.
  const bodyEnd = Math.max(closing.start - 1, bodyStart);
  const lineEnd = text.indexOf("\n", bodyStart);
  const firstEnd = lineEnd === -1 ? bodyEnd : Math.min(lineEnd, bodyEnd);
  const first = text.slice(bodyStart, firstEnd).trim();
  const isIcon = first !== "" && first.length <= MAX_ICON_LENGTH && !/\s/.test(first);
  const start = isIcon ? Math.min(firstEnd + 1, bodyEnd) : bodyStart;
  const body = text.slice(start, bodyEnd);
  const from = start + body.length - body.trimStart().length;
  const to = from + body.trim().length;
  yield { start: opening.start, end: from, text: `> [!note]${isIcon ? ` ${first}` : ""}\n` };
  for (const line of linesIn(text, from, to))
    yield { ...line, text: `> ${text.slice(line.start, line.end)}`.trimEnd() };
  yield { start: to, end: closing.end, text: "" };
}

/** Where a line is, without its line break. */
interface Line {
  readonly start: number;
  readonly end: number;
}

function* linesIn(text: string, from: number, to: number): Generator<Line> {
  for (let start = from; start <= to;) {
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak === -1 ? to : Math.min(lineBreak, to);
    yield { start, end };
    start = end + 1;
  }
}

/** The lines with nothing but a tag; null for others with the tag. */
function* linesThatAre(tag: string, text: string): Generator<Line | null, undefined> {
  let end = 0;
  for (let at = text.indexOf(tag); at !== -1; at = text.indexOf(tag, end)) {
    const start = text.lastIndexOf("\n", at) + 1;
    const lineBreak = text.indexOf("\n", at);
    end = lineBreak === -1 ? text.length : lineBreak;
    yield text.slice(start, end).trim() === tag ? { start, end } : null;
  }
}

/** A path as the target of a Markdown link. */
export function encodePath(path: string): string {
  return path
    .split("/")
    .map((name) => encodeURIComponent(name).replaceAll(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29")))
    .join("/");
}
