import { shownName, type Document } from "../document.ts";

type Candidate = Pick<Document, "path" | "title" | "modifiedAt">;

interface Ranked<File> {
  readonly file: File;
  readonly rank: number;
}

/** The files to suggest while a link is typed: what is named so, then names with the prefix; among equals, the newest first. */
export function rankForLink<File extends Candidate>(files: readonly File[], query: string, limit: number): File[] {
  const wanted = query.trim().toLowerCase();
  // Sorting all files of a large vault would block the page.
  const best: Ranked<File>[] = [];
  for (const file of files) {
    const rank = rankOf(file, wanted);
    if (rank === null) continue;
    const next = { file, rank };
    const index = best.findLastIndex((other) => compare(other, next) <= 0) + 1;
    if (index >= limit) continue;
    best.splice(index, 0, next);
    if (best.length > limit) best.pop();
  }
  return best.map(({ file }) => file);
}

function compare(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return (
    a.rank - b.rank || Number(a.file.modifiedAt < b.file.modifiedAt) - Number(a.file.modifiedAt > b.file.modifiedAt)
  );
}

function rankOf({ path, title }: Candidate, wanted: string): number | null {
  const name = shownName(path).toLowerCase();
  const lower = title.toLowerCase();
  if (name === wanted) return 0;
  if (lower === wanted) return 1;
  if (name.startsWith(wanted)) return 2;
  if (lower.startsWith(wanted)) return 3;
  if (name.includes(wanted) || lower.includes(wanted)) return 4;
  return path.toLowerCase().includes(wanted) ? 5 : null;
}
