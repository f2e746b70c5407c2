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
const RELATION =
  /([^,()\n]{1,200}) \(((?:https:\/\/[^\s()]{1,300}|[^\s()]{1,500})[0-9a-f]{32}(?:\.(?:md|csv|html)|[?#][^\s()]{0,300})?)\)/g;

/** Makes links of the pages that the properties of a page name. Those are lines after its title, with the names of columns. */
export function withRelations(text: string, columns: readonly string[]): string {
  const known = new Set(columns);
  const lines = text.split("\n");
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (index === 1 && line.trim() === "") continue;
    const colon = line.indexOf(": ");
    if (colon < 0 || !known.has(line.slice(0, colon))) break;
    const value = line.slice(colon + 2).replaceAll(RELATION, (_, title: string, target: string) => {
      const space = /^\s*/.exec(title)?.[0] ?? "";
      return `${space}[${title.trim().replaceAll(/[[\]]/g, "\\$&")}](${target})`;
    });
    lines[index] = `${line.slice(0, colon + 2)}${value}`;
  }
  return lines.join("\n");
}

/** Turns `<aside>` blocks, which are callouts, into those of Markdown. */
export function withCallouts(text: string): string {
  if (!text.includes("<aside>")) return text;
  const lines = text.split("\n");
  const result: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const end =
      line.trim() === "<aside>" ? lines.findIndex((other, at) => at > index && other.trim() === "</aside>") : -1;
    if (end < 0) {
      result.push(line);
      continue;
    }
    result.push(...toCallout(lines.slice(index + 1, end)));
    index = end;
  }
  return result.join("\n");
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
