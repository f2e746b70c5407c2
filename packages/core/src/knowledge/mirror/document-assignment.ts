import type { FoundFile, RecordedFile } from "./mirrored-file.ts";

/** A file on disk with its document. */
export interface Assignment {
  readonly file: FoundFile;
  /** Null if it cannot be determined without the content: the file is new, or was both moved and replaced. */
  readonly document: RecordedFile | null;
}

export interface AssignedFiles {
  readonly assignments: Assignment[];
  /** Documents for which no file was found. */
  readonly unassigned: RecordedFile[];
}

/**
 * Finds the documents of files that differ from what was recorded. A document follows its file, identified by inode and birth
 * time, to any path, even that of another document. Otherwise it stays at its path, as when an editor saves a file by
 * replacing it. `recorded` are the documents at those paths and the documents whose files are missing.
 */
export function assignDocuments(files: readonly FoundFile[], recorded: readonly RecordedFile[]): AssignedFiles {
  const byIdentity = new Map(recorded.map((document) => [identityOf(document.inode, document.birthtimeNs), document]));
  const byPath = new Map(recorded.map((document) => [document.path, document]));
  const taken = new Set<RecordedFile>();
  const followed = files.map(({ stat }) => {
    const document = stat.birthtimeNs === 0n ? undefined : byIdentity.get(identityOf(stat.inode, stat.birthtimeNs));
    // A file with several hard links is found under each name; the document is assigned to the first.
    if (document === undefined || taken.has(document)) return null;
    taken.add(document);
    return document;
  });
  const assignments = files.map((file, index): Assignment => {
    const own = byPath.get(file.path);
    const document = followed[index] ?? (own !== undefined && !taken.has(own) ? own : null);
    if (document !== null) taken.add(document);
    return { file, document };
  });
  return { assignments, unassigned: recorded.filter((document) => !taken.has(document)) };
}

function identityOf(inode: bigint, birthtimeNs: bigint): string {
  return `${inode}:${birthtimeNs}`;
}
