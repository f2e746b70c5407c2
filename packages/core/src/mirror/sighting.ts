import { isWithin, type VaultPath } from "../vault/vault-path.ts";
import { isUnchanged, type FoundFile, type RecordedFile } from "./mirrored-file.ts";

/** How a part of the disk differs from its documents. */
export interface Sighting {
  /** Files that are new or not as recorded. */
  readonly changed: FoundFile[];
  /** The documents at the paths of changed files. */
  readonly displaced: RecordedFile[];
  /** Documents at whose paths there is no file. */
  readonly missing: RecordedFile[];
}

/** Compares files with the documents of the same part of the vault. Nothing is said of what is in unreadable directories. */
export function compareWithRecorded(
  found: Iterable<FoundFile>,
  recorded: readonly RecordedFile[],
  unreadable: readonly VaultPath[] = [],
): Sighting {
  const remaining = new Map(recorded.map((document) => [document.path, document]));
  const sighting: Sighting = { changed: [], displaced: [], missing: [] };
  for (const file of found) {
    const document = remaining.get(file.path);
    remaining.delete(file.path);
    if (document !== undefined && isUnchanged(document, file)) continue;
    sighting.changed.push(file);
    if (document !== undefined) sighting.displaced.push(document);
  }
  const isKnown = ({ path }: RecordedFile) => !unreadable.some((directory) => isWithin(path, directory));
  sighting.missing.push(...[...remaining.values()].filter(isKnown));
  return sighting;
}
