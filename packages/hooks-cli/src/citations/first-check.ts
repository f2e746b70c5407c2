import type { CitationCheck } from "./check-citations.ts";
import type { Citation } from "./citation.ts";
import { EXISTS, type CitedFile, type FoundLines, citeLines, citeQuote } from "./fingerprint.ts";
import type { ProjectFiles } from "./project-files.ts";

/** A quote of fewer characters proves nothing, whether it is there or not. */
const MIN_TELLING_LENGTH = 6;

/**
 * Looks for what is cited for the first time and takes its fingerprint. Undefined if it cannot be found out whether it is there: in
 * files that are too large, or may hold secrets, and of lines that say nothing.
 */
export function citeFirst(files: ProjectFiles, citation: Citation): CitationCheck | undefined {
  const gone = { citation, holds: false };
  const path = findFile(files, citation.path);
  if (path === undefined) return gone;
  if (citation.quote === undefined && citation.startLine === undefined)
    return files.exists(path) ? { citation, holds: true, found: { path, fingerprint: EXISTS } } : gone;
  const read = files.read(path);
  if (read.kind === "unknown" || files.isSecret(path)) return undefined;
  if (read.kind === "gone") return citeElsewhere(files, { ...citation, path }) ?? gone;
  const lines = cite(read.file, citation);
  if (lines !== undefined) return { citation, holds: true, found: { path, ...lines } };
  return isAbsent(read.file, citation) ? gone : undefined;
}

/** The path from the root. Of a path in another clone, the longest end that leads to a file here; undefined if none does. */
function findFile(files: ProjectFiles, path: string): string | undefined {
  const own = files.pathFromRoot(path);
  if (own !== undefined) return own;
  const names = path.split(/[\\/]/).filter((name) => name !== "");
  if (names.includes("..")) return undefined;
  const ends = names.map((_, index) => names.slice(index).join("/"));
  return ends.find((end) => files.exists(end));
}

function cite(file: CitedFile, { quote, startLine = 1, endLine = startLine }: Citation): FoundLines | undefined {
  return quote === undefined ? citeLines(file, { startLine, endLine }) : citeQuote(file, quote, startLine);
}

/** A quote may be of a file whose path was given from another folder, or that has moved since. */
function citeElsewhere(files: ProjectFiles, citation: Citation): CitationCheck | undefined {
  if (citation.quote === undefined || linesOf(citation.quote).length === 0) return undefined;
  const name = nameOf(citation.path);
  for (const path of files.successorsOf(citation.path)) {
    if (nameOf(path) !== name || files.isSecret(path)) continue;
    const read = files.read(path);
    const lines = read.kind === "text" ? cite(read.file, citation) : undefined;
    if (lines !== undefined) return { citation, holds: true, found: { path, ...lines } };
  }
  return undefined;
}

/** Whether the file has not all of the cited lines. Those of a quote that leaves out what is between them are all there. */
function isAbsent(file: CitedFile, { quote, startLine = 1, endLine = startLine }: Citation): boolean {
  if (quote === undefined) return file.text.split("\n").length < endLine;
  return linesOf(quote).some((line) => citeQuote(file, line, startLine) === undefined);
}

function linesOf(quote: string): string[] {
  return quote.split("\n").filter((line) => line.replaceAll(/[^\p{L}\p{N}]/gu, "").length >= MIN_TELLING_LENGTH);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
