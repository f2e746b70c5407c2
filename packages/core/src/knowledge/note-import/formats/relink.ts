import { findLinkRangesInSlices, type LinkRange } from "../../markdown/link-ranges.ts";
import { writeDestination } from "../../markdown/link-target-form.ts";
import { folderOfPath } from "./import-format.ts";
import { replaceInSlices, type Replacement } from "./replace-in-slices.ts";

/** Changes the targets of the links in a Markdown text; `targetOf` returns the new one, or null to leave a link as it is. */
export async function relink(text: string, targetOf: (link: LinkRange) => string | null): Promise<string> {
  return replaceInSlices(text, newTargets(text, await findLinkRangesInSlices(text), targetOf));
}

function* newTargets(
  text: string,
  links: readonly LinkRange[],
  targetOf: (link: LinkRange) => string | null,
): Generator<Replacement | null> {
  let keptTo = 0;
  for (const link of links) {
    const { kind, start, end } = link;
    const target = start < keptTo ? null : targetOf(link);
    if (target === null) {
      yield null;
      continue;
    }
    const isBracketed = text[start - 1] === "<";
    yield {
      start,
      end,
      text: kind === "wiki" ? target : writeDestination(target, text.slice(start, end), isBracketed),
    };
    keptTo = end;
  }
}

/** The path that a relative link in a file refers to; null if it leads out of the export. */
export function resolveRelative(from: string, target: string): string | null {
  const names = target.startsWith("/") || folderOfPath(from) === "" ? [] : folderOfPath(from).split("/");
  for (const name of target.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name.normalize("NFC"));
    else if (names.pop() === undefined) return null;
  }
  return names.join("/");
}

/** The path from one file to another. */
export function relativeTo(from: string, target: string): string {
  const folders = folderOfPath(from) === "" ? [] : folderOfPath(from).split("/");
  const names = target.split("/");
  let shared = 0;
  while (shared < folders.length && shared < names.length - 1 && folders[shared] === names[shared]) shared += 1;
  return [...folders.slice(shared).map(() => ".."), ...names.slice(shared)].join("/");
}
