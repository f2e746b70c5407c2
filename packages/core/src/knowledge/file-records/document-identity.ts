import { nameOf, type VaultPath } from "../vault/vault-path.ts";

/** What identifies a file, on disk or as last recorded. */
export interface FileIdentity {
  readonly path: VaultPath;
  readonly inode: bigint;
  readonly birthtimeNs: bigint;
  readonly contentHash: string;
  readonly sizeBytes: number;
}

/**
 * Finds the document of a file at a new path among those whose files are missing. It is the one with the same inode and birth
 * time, which survive a rename, even if the content has changed; otherwise one with the same content, preferably also with
 * the same name. The inode alone is not sufficient, because file systems reuse inode numbers. Null if the file is new.
 */
export function findMovedDocument<Missing extends FileIdentity>(
  file: FileIdentity,
  missing: readonly Missing[],
): Missing | null {
  const isSameFile = ({ inode, birthtimeNs }: Missing) =>
    birthtimeNs !== 0n && inode === file.inode && birthtimeNs === file.birthtimeNs;
  const same = missing.find(isSameFile);
  if (same !== undefined) return same;
  // All empty files have the same content, so that proves nothing.
  if (file.sizeBytes === 0) return null;
  const identical = missing.filter(({ contentHash }) => contentHash === file.contentHash);
  return identical.find(({ path }) => nameOf(path) === nameOf(file.path)) ?? identical[0] ?? null;
}
