import { shownName, type Document } from "./document.ts";

type Candidate = Pick<Document, "path" | "title" | "modifiedAt">;

/** The files to offer for a link that is being written: those whose name begins with it first; of equals, the newest. */
export function rankForLink<File extends Candidate>(files: readonly File[], query: string, limit: number): File[] {
  const wanted = query.trim().toLowerCase();
  const ranked: { file: File; rank: number }[] = [];
  for (const file of files) {
    const rank = rankOf(file, wanted);
    if (rank !== null) ranked.push({ file, rank });
  }
  return ranked
    .toSorted((a, b) => a.rank - b.rank || (a.file.modifiedAt < b.file.modifiedAt ? 1 : -1))
    .slice(0, limit)
    .map(({ file }) => file);
}

function rankOf({ path, title }: Candidate, wanted: string): number | null {
  const name = shownName(path).toLowerCase();
  if (name.startsWith(wanted)) return 0;
  if (title.toLowerCase().startsWith(wanted)) return 1;
  if (name.includes(wanted) || title.toLowerCase().includes(wanted)) return 2;
  return path.toLowerCase().includes(wanted) ? 3 : null;
}
