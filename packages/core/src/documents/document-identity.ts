import { nameOf, type VaultPath } from "../vault/vault-path.ts";

/** What is known of a file, on the disk or as it was last recorded. */
export interface FileIdentity {
  readonly path: VaultPath;
  readonly inode: bigint;
  readonly birthtimeNs: bigint;
  readonly contentHash: string;
  readonly sizeBytes: number;
}

/**
 * The document, among those whose files are gone from their paths, that a file at a new path is: the same file by inode and
 * time of birth, which a rename keeps, edited since or not; else one with the same content, the one of the same name first.
 * An inode alone says nothing, because file systems use the numbers again. Null for a file that is new.
 */
export function findMovedDocument<Gone extends FileIdentity>(file: FileIdentity, gone: readonly Gone[]): Gone | null {
  const isSameFile = ({ inode, birthtimeNs }: Gone) =>
    birthtimeNs !== 0n && inode === file.inode && birthtimeNs === file.birthtimeNs;
  const same = gone.find(isSameFile);
  if (same !== undefined) return same;
  // All empty files are alike, so being empty is no likeness.
  if (file.sizeBytes === 0) return null;
  const alike = gone.filter(({ contentHash }) => contentHash === file.contentHash);
  return alike.find(({ path }) => nameOf(path) === nameOf(file.path)) ?? alike[0] ?? null;
}
