import { relativeTo } from "./relink.ts";

const PAGE_URL =
  /(?<=\]\()https:\/\/(?:www\.)?notion\.(?:so|com)\/(?:[^\s()/?#]{1,100}\/)?(?:[^\s()/?#]{0,300}-)?([0-9a-f]{32})(?:[?#][^\s()]{0,300})?(?=\))/g;
/** The first line of a callout is its icon. */
const MAX_ICON_LENGTH = 12;

/** Changes links to pages on Notion's site that are in the export. */
export function withPageLinks(
  text: string,
  { target, pagesById }: { readonly target: string; readonly pagesById: ReadonlyMap<string, string> },
): string {
  return text.replaceAll(PAGE_URL, (url, id: string) => {
    const page = pagesById.get(id);
    return page === undefined ? url : encodePath(relativeTo(target, page));
  });
}

/** Another page as a property: its title, and its path or URL in brackets. */
/** A page in brackets, after its title: found from the bracket on, so that a long text without any takes linear time. */
const RELATION =
  /(?<=[^,()\n]) \(((?:https:\/\/[^\s()]{1,300}|[^\s()]{1,500})[0-9a-f]{32}(?:\.(?:md|csv|html)|[?#][^\s()]{0,300})?)\)/g;
const MAX_TITLE_LENGTH = 200;
const NOT_IN_TITLE = /[,()\n]/;

/** Makes links of the pages that the properties of a page name. Those are lines after its title, with the names of columns. */
export function withRelations(text: string, columns: readonly string[]): string {
  const known = new Set(columns);
  const lines = text.split("\n");
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (index === 1 && line.trim() === "") continue;
    const colon = line.indexOf(": ");
    if (colon < 0 || !known.has(line.slice(0, colon))) break;
    lines[index] = line.slice(0, colon + 2) + withLinkedTitles(line.slice(colon + 2));
  }
  return lines.join("\n");
}

function withLinkedTitles(value: string): string {
  const parts: string[] = [];
  let keptTo = 0;
  for (const { 0: whole, 1: target = "", index } of value.matchAll(RELATION)) {
    const title = titleBefore(value.slice(Math.max(keptTo, index - MAX_TITLE_LENGTH), index));
    const space = /^\s*/.exec(title)?.[0] ?? "";
    const label = title.trim().replaceAll(/[[\]]/g, "\\$&");
    parts.push(value.slice(keptTo, index - title.length), `${space}[${label}](${target})`);
    keptTo = index + whole.length;
  }
  return parts.join("") + value.slice(keptTo);
}

function titleBefore(text: string): string {
  let start = text.length;
  while (start > 0 && !NOT_IN_TITLE.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start);
}

/** Turns `<aside>` blocks, which are callouts, into those of Markdown. */
export function withCallouts(text: string): string {
  if (!text.includes("<aside>")) return text;
  const lines = text.split("\n");
  const result: string[] = [];
  const endAfter = createEndFinder(lines);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const end = line.trim() === "<aside>" ? endAfter(index) : -1;
    if (end < 0) {
      result.push(line);
      continue;
    }
    for (const written of toCallout(lines.slice(index + 1, end))) result.push(written);
    index = end;
  }
  return result.join("\n");
}

/** Finds the end of the block that begins in a line, -1 if there is none. Lines never decrease, and none is compared twice. */
function createEndFinder(lines: readonly string[]): (line: number) => number {
  let end = 0;
  return (line) => {
    if (end <= line) {
      end = line + 1;
      while (end < lines.length && lines[end]?.trim() !== "</aside>") end += 1;
    }
    return end < lines.length ? end : -1;
  };
}

function toCallout(lines: readonly string[]): string[] {
  const [first = ""] = lines;
  const isIcon = first.trim() !== "" && first.trim().length <= MAX_ICON_LENGTH && !/\s/.test(first.trim());
  const body = (isIcon ? lines.slice(1) : lines).join("\n").trim().split("\n");
  return [`> [!note]${isIcon ? ` ${first.trim()}` : ""}`, ...body.map((line) => `> ${line}`.trimEnd())];
}

/** A path as the target of a Markdown link. */
export function encodePath(path: string): string {
  return path
    .split("/")
    .map((name) => encodeURIComponent(name).replaceAll(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29")))
    .join("/");
}
