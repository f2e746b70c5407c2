import { foldText } from "../../platform/fold-text.ts";
import { withoutMarkdownExtension } from "./file-type.ts";
import { findLinkRanges, type LinkRange } from "./link-ranges.ts";

/** More than any person writes. Further links in a generated file are ignored. */
const MAX_LINKS = 10_000;
/** A wiki link may be read in this many ways: `[[C# notes#Part]]` may refer to `C# notes#Part`, `C# notes` or `C`. */
const MAX_READINGS = 4;

/** What a link refers to. */
export interface LinkTarget {
  /** The path as written, but decoded. */
  readonly target: string;
  /** Of a wiki link, what follows up to the label: usually a heading or a block, unless it belongs to a path with `#` in it. */
  readonly part: string;
}

/**
 * The links of a Markdown text to other files of the vault, without duplicates, wiki links first; see `findLinkRanges`. Those of its
 * frontmatter are given.
 */
export function findLinks(body: string, properties: readonly LinkTarget[] = []): LinkTarget[] {
  const found = new Map<string, LinkTarget>();
  const ranges = findLinkRanges(body);
  const isWiki = ({ kind }: LinkRange) => kind === "wiki";
  const sorted = [...properties, ...ranges.filter(isWiki), ...ranges.filter((range) => !isWiki(range))];
  for (const { target, part } of sorted) {
    if (found.size === MAX_LINKS) break;
    const path = target.trim();
    if (path !== "") found.set(`${path}\n${part}`, { target: path, part });
  }
  return [...found.values()];
}

/** The paths that a link may refer to. If there are files at several of them, the first, which is the longest, is meant. */
export function readingsOf({ target, part }: LinkTarget): string[] {
  if (part === "") return [target];
  const whole = target + part;
  const readings: string[] = [];
  for (let end = target.length; end < whole.length && readings.length < MAX_READINGS - 1;) {
    const mark = whole.slice(end + 1).search(/[#^]/);
    end = mark === -1 ? whole.length : end + 1 + mark;
    readings.unshift(whole.slice(0, end).trim());
  }
  return [...readings, target];
}

/**
 * The names by which links to a file may be stored: that of the file and, for each `#` in its path, the one that a link seems to have
 * if what follows is taken for a heading.
 */
export function linkNamesTo(path: string): string[] {
  if (!/[#^]/.test(path)) return [linkNameOf(path)];
  const beforeMarks = path.split("/").filter((name) => /[#^]/.test(name));
  return [linkNameOf(path), ...beforeMarks.map((name) => linkNameOf(name.slice(0, name.search(/[#^]/)).trim()))];
}

/** The part of a path that a link must match at least: the file name, case-folded and without a Markdown extension. */
export function linkNameOf(path: string): string {
  return foldText(withoutMarkdownExtension(path.slice(path.lastIndexOf("/") + 1)));
}

/** What a path in a link is relative to: the folder of its file, the root, or any folder. */
export type LinkForm = "relative" | "root" | "ending";

/** A document that links may refer to. */
export interface Linkable {
  readonly id: string;
  readonly path: string;
}

/** The document that a link refers to. */
export interface ResolvedLink<Document> {
  readonly document: Document;
  /** The path by which it is referred to. */
  readonly target: string;
  readonly form: LinkForm;
  /** Whether another document matches just as well. */
  readonly isAmbiguous: boolean;
}

export type LinkResolver<Document extends Linkable> = (link: LinkTarget, from: string) => ResolvedLink<Document> | null;

/**
 * Creates the function that resolves a link in the file at a path to one of some documents: the one at exactly that path, relative
 * to the file or to the root; otherwise the one with the shortest path that ends with it.
 */
export function createLinkResolver<Document extends Linkable>(documents: Iterable<Document>): LinkResolver<Document> {
  const byPath = new Map<string, Document[]>();
  const byName = new Map<string, { readonly ending: string; readonly document: Document }[]>();
  for (const document of documents) {
    const path = normalize(document.path);
    append(byPath, path, document);
    append(byName, path.slice(path.lastIndexOf("/") + 1), { ending: `/${path}`, document });
  }
  for (const named of byName.values()) named.sort((one, other) => compare(one.document.path, other.document.path));

  function resolve(target: string, from: string): ResolvedLink<Document> | null {
    const isRelative = target.startsWith("./") || target.startsWith("../");
    const forms = isRelative ? (["relative"] as const) : (["relative", "root"] as const);
    for (const form of forms) {
      const path = resolvePath(form === "relative" ? folderOf(from) : "", target);
      const [document, another] = path === null ? [] : (byPath.get(normalize(path)) ?? []);
      if (document !== undefined) return { document, target, form, isAmbiguous: another !== undefined };
    }
    if (isRelative || target.startsWith("/")) return null;
    const path = normalize(target);
    const named = byName.get(path.slice(path.lastIndexOf("/") + 1)) ?? [];
    const best = named.findIndex(({ ending }) => ending.endsWith(`/${path}`));
    const found = named[best];
    if (found === undefined) return null;
    const length = found.document.path.length;
    const rival = named.find(
      ({ ending, document }, index) => index > best && document.path.length === length && ending.endsWith(`/${path}`),
    );
    return { document: found.document, target, form: "ending", isAmbiguous: rival !== undefined };
  }

  return (link, from) => {
    for (const reading of readingsOf(link)) {
      const found = resolve(reading, from);
      if (found !== null) return found;
    }
    return null;
  };
}

/** Shorter paths first. */
function compare(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** The folder of a path; "" for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

/** Resolves a path relative to a directory; null if it leads out of the vault. */
function resolvePath(directory: string, target: string): string | null {
  const names = target.startsWith("/") ? [] : directory.split("/").filter((name) => name !== "");
  for (const name of target.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join("/");
}

function normalize(path: string): string {
  return foldText(withoutMarkdownExtension(path));
}
