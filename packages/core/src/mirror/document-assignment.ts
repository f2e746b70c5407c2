import type { FoundFile, RecordedFile } from "./mirrored-file.ts";

/** Which document a file on the disk has. */
export interface Assignment {
  readonly file: FoundFile;
  /** Null where it is not known without the content: the file is new, or has been moved and replaced at once. */
  readonly document: RecordedFile | null;
}

export interface AssignedFiles {
  readonly assignments: Assignment[];
  /** Documents that no file was found for. */
  readonly unassigned: RecordedFile[];
}

/**
 * Finds the documents of files that are not as recorded. A document follows its file by inode and time of birth, wherever it
 * went, also to the path of another document; what is left stays at its path, as when an editor saves by replacing the file.
 * `recorded` are the documents of those paths and those whose files are gone.
 */
export function assignDocuments(files: readonly FoundFile[], recorded: readonly RecordedFile[]): AssignedFiles {
  const byIdentity = new Map(recorded.map((document) => [identityOf(document.inode, document.birthtimeNs), document]));
  const byPath = new Map(recorded.map((document) => [document.path, document]));
  const taken = new Set<RecordedFile>();
  const followed = files.map(({ stat }) => {
    const document = stat.birthtimeNs === 0n ? undefined : byIdentity.get(identityOf(stat.inode, stat.birthtimeNs));
    // A file with several names is at each of them; the document goes with the first.
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
