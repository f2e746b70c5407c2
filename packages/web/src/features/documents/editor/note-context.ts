import { Facet } from "@codemirror/state";
import { isImagePath, rawUrl, type Document } from "../document.ts";
import { resolveLink, resolvePath, type LinkIndex } from "../links/wiki-links.ts";
import { parentOf } from "../vault/vault-path.ts";

/** What the text of a note needs to know about its vault. */
export interface NoteContext {
  readonly path: string;
  readonly links: LinkIndex<Document>;
  readonly documents: readonly Document[];
}

const NOWHERE: NoteContext = { path: "", links: new Map(), documents: [] };

export const noteContext = Facet.define<NoteContext, NoteContext>({ combine: ([context = NOWHERE]) => context });

const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;

/** Whether a link leads out of the vault, or to a section of the same note. */
export function isElsewhere(target: string): boolean {
  return ELSEWHERE.test(target);
}

/** The URL of an image that a note embeds by a wiki link or a path; null if it is not an image of the vault. */
export function imageAddress(target: string, { path, links }: Omit<NoteContext, "documents">): string | null {
  if (isElsewhere(target)) return null;
  const found = resolveLink(target, path, links);
  if (found !== null) return isImagePath(found.path) ? rawUrl(found.path, found.contentHash) : null;
  // The list of files may be older than an image that was inserted a moment ago.
  const place = resolvePath(parentOf(path), target);
  return place !== null && isImagePath(place) ? rawUrl(place) : null;
}

/** A link's target without escapes, angle brackets and the part after `#`. */
export function plainTarget(target: string): string {
  const text = target.replace(/^<|>$/g, "");
  if (isElsewhere(text)) return text;
  try {
    return decodeURIComponent(text.replace(/[?#].*/s, ""));
  } catch {
    return text;
  }
}
