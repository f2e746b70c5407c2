import { isWithin, type VaultPath } from "../vault/vault-path.ts";
import { isUnchanged, type FoundFile, type RecordedFile } from "./mirrored-file.ts";

/** The differences between a part of the vault and its documents. */
export interface VaultDiff {
  /** Files that are new or differ from what was recorded. */
  readonly changed: FoundFile[];
  /** The documents at the paths of changed files. */
  readonly displaced: RecordedFile[];
  /** Documents without a file at their path. */
  readonly missing: RecordedFile[];
}

/** Compares files with the documents of the same part of the vault. Documents in unreadable directories are ignored. */
export function diffVault(
  found: Iterable<FoundFile>,
  recorded: readonly RecordedFile[],
  unreadable: readonly VaultPath[] = [],
): VaultDiff {
  const remaining = new Map(recorded.map((document) => [document.path, document]));
  const diff: VaultDiff = { changed: [], displaced: [], missing: [] };
  for (const file of found) {
    const document = remaining.get(file.path);
    remaining.delete(file.path);
    if (document !== undefined && isUnchanged(document, file)) continue;
    diff.changed.push(file);
    if (document !== undefined) diff.displaced.push(document);
  }
  const isReadable = ({ path }: RecordedFile) => !unreadable.some((directory) => isWithin(path, directory));
  diff.missing.push(...[...remaining.values()].filter(isReadable));
  return diff;
}
