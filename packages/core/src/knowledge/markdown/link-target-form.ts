import { isMarkdownName, withoutMarkdownExtension } from "./file-type.ts";
import { ENTITY } from "./link-destination.ts";
import { findLinkRanges, type LinkRange } from "./link-ranges.ts";
import { folderOf, type Linkable, type LinkForm, type LinkResolver } from "./wiki-links.ts";

const SIMPLE_PARENTHESES = /^[^()]*(?:\([^()]*\)[^()]*)*$/;
const ENCODED_LETTER = /%[89a-f][0-9a-f]/i;

/** What the author of a link has written. */
export interface WrittenTarget {
  /** The path in the form in which it was found to refer to a document. */
  readonly target: string;
  readonly form: LinkForm;
}

export interface TargetPlace<Document extends Linkable> {
  readonly kind: LinkRange["kind"];
  /** The path of the file with the link. */
  readonly from: string;
  readonly written: WrittenTarget;
  /** Of a wiki link, what follows the target. */
  readonly part: string;
  readonly document: Document;
  readonly resolve: LinkResolver<Document>;
}

/**
 * The shortest path by which a link refers to a document, in the form that its author chose: relative or not, with or without an
 * extension. Null if no path of this kind of link does, because of characters in it or because another document has the same path.
 */
export function findTarget<Document extends Linkable>(place: TargetPlace<Document>): string | null {
  const { kind, from, written, part, document, resolve } = place;
  const isPossible = (target: string): boolean => {
    if (kind === "wiki" && /[[\]|\r\n]/.test(target)) return false;
    const found = resolve({ target, part }, from) ?? null;
    return found?.document.id === document.id && !found.isAmbiguous;
  };
  return candidates(document.path, from, written).find(isPossible) ?? null;
}

/** Paths that may refer to a document, the preferred ones first. */
function candidates(path: string, from: string, { target, form }: WrittenTarget): string[] {
  const hasExtension = isMarkdownName(target);
  const names = [...new Set(hasExtension ? [path] : [withoutMarkdownExtension(path), path])];
  const absolute = names.map((name) => `/${name}`);
  if (target.startsWith("/")) return absolute;
  return [...names.flatMap((name) => candidatesOf(name, from, { target, form })), ...absolute];
}

function candidatesOf(path: string, from: string, { target, form }: WrittenTarget): string[] {
  const names = path.split("/");
  if (form === "relative") {
    const relative = relativePath(folderOf(from), names);
    const dotted = relative.startsWith("../") ? [relative] : [`./${relative}`];
    return target.startsWith("./") ? dotted : [relative, ...dotted];
  }
  if (form === "root") return [path];
  const least = Math.min(names.length, target.split("/").length);
  return Array.from({ length: names.length - least + 1 }, (_, index) => names.slice(-(least + index)).join("/"));
}

function relativePath(folder: string, names: readonly string[]): string {
  const folders = folder === "" ? [] : folder.split("/");
  let shared = 0;
  while (shared < folders.length && shared < names.length - 1 && folders[shared] === names[shared]) shared += 1;
  return [...folders.slice(shared).map(() => ".."), ...names.slice(shared)].join("/");
}

/** A path as the destination of a Markdown link, written as the author wrote another one: with or without `%20` and the like. */
export function writeDestination(target: string, raw: string, isBracketed: boolean): string {
  const plain = encodeNecessary(target, raw, isBracketed);
  return isReadAs(plain, target, isBracketed) ? plain : encodeAll(target);
}

function encodeNecessary(target: string, raw: string, isBracketed: boolean): string {
  const base = ENCODED_LETTER.test(raw)
    ? encodeAll(target)
    : target.replaceAll(/[%#?<>\\|]/g, encodeAll).replaceAll(ENTITY, encodeAll);
  if (isBracketed) return base;
  const keepsParentheses = raw.includes("(") && SIMPLE_PARENTHESES.test(target);
  const spaced = raw.includes(" ") ? base : base.replaceAll(/[\s]/g, encodeAll);
  return keepsParentheses ? spaced : spaced.replaceAll(/[()]/g, encodeAll);
}

function isReadAs(written: string, target: string, isBracketed: boolean): boolean {
  const [link, ...others] = findLinkRanges(isBracketed ? `[a](<${written}>)` : `[a](${written})`);
  return others.length === 0 && link?.target === target;
}

function encodeAll(text: string): string {
  return text
    .split("/")
    .map((name) =>
      encodeURIComponent(name).replaceAll(/[()'!*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join("/");
}
