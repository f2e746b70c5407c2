import type { Citation } from "./citation.ts";
import { EXISTS, type Place, findLines, parseFingerprint } from "./fingerprint.ts";
import type { ProjectFiles } from "./project-files.ts";
import type { Fingerprint } from "./source-text.ts";

/** Shorter text may be in a file of another name by chance. */
const MIN_MOVED_LENGTH = 16;

/** What became of a citation. */
export interface CitationCheck {
  readonly citation: Citation;
  readonly holds: boolean;
  /** Where its lines are, unless that is as known; with a fingerprint if they had none. */
  readonly found?: { readonly path: string; readonly fingerprint?: string } & Partial<Place>;
}

/**
 * Looks for what memories rest on, until the time is over; for what has no fingerprint yet by `first`. Leaves out what cannot be
 * found out, such as of a file that is too large or outside the project.
 */
export function checkCitations(
  files: ProjectFiles,
  citations: readonly Citation[],
  isOver: () => boolean,
  first?: (files: ProjectFiles, citation: Citation) => CitationCheck | undefined,
): CitationCheck[] {
  const checks: CitationCheck[] = [];
  const search = { files, successors: new Map<string, string>(), isOver };
  // Longer lines say more surely as which file one that is gone exists now.
  const byLength = citations.map((citation) => ({ citation, length: lengthOf(citation) }));
  for (const { citation } of byLength.toSorted((one, other) => other.length - one.length)) {
    if (isOver()) break;
    const check = citation.fingerprint === undefined ? first?.(files, citation) : checkCitation(search, citation);
    if (check !== undefined) checks.push({ ...check, citation });
  }
  return checks;
}

/** What the server does not know yet. */
export function isNews({ citation, holds, found }: CitationCheck): boolean {
  return (holds ? "holds" : "broken") !== citation.state || (found !== undefined && isElsewhere(citation, found));
}

function isElsewhere(known: Citation, found: NonNullable<CitationCheck["found"]>): boolean {
  return (
    found.fingerprint !== undefined ||
    found.path !== known.path ||
    found.startLine !== known.startLine ||
    found.endLine !== known.endLine
  );
}

interface Search {
  readonly files: ProjectFiles;
  /** As which files others were found that are gone. */
  readonly successors: Map<string, string>;
  readonly isOver: () => boolean;
}

function checkCitation(search: Search, known: Citation): CitationCheck | undefined {
  const { files } = search;
  const path = files.pathFromRoot(known.path);
  if (path === undefined) return undefined;
  const citation = { ...known, path };
  const { fingerprint = "" } = citation;
  if (fingerprint === EXISTS) return { citation, holds: files.exists(path) };
  const parsed = parseFingerprint(fingerprint);
  const read = parsed && files.read(path);
  if (parsed === undefined || read === undefined || read.kind === "unknown") return undefined;
  if (read.kind === "gone") return findElsewhere(search, citation, parsed);
  const place = findLines(read.file, parsed, placeOf(citation));
  return place === undefined ? { citation, holds: false } : { citation, holds: true, found: { path, ...place } };
}

/** Looks for the lines of a file that is gone in those as which it may exist now. */
function findElsewhere(
  { files, successors, isOver }: Search,
  citation: Citation,
  fingerprint: Fingerprint,
): CitationCheck | undefined {
  const name = nameOf(citation.path);
  const successor = successors.get(citation.path);
  for (const path of successor === undefined ? files.successorsOf(citation.path) : [successor]) {
    if (isOver()) return undefined;
    if (path !== successor && nameOf(path) !== name && fingerprint.length < MIN_MOVED_LENGTH) continue;
    const read = files.read(path);
    const place = read.kind === "text" ? findLines(read.file, fingerprint, placeOf(citation)) : undefined;
    if (place === undefined) continue;
    successors.set(citation.path, path);
    return { citation, holds: true, found: { path, ...place } };
  }
  return { citation, holds: false };
}

function lengthOf({ fingerprint }: Citation): number {
  return parseFingerprint(fingerprint ?? "")?.length ?? 0;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function placeOf({ startLine = 1, endLine = startLine }: Citation): Place {
  return { startLine, endLine };
}
