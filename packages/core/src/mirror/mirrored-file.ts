import type { FileStat } from "../vault/file-stat.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import type { FileIdentity } from "../documents/document-identity.ts";

/** A file as its document recorded it. */
export interface RecordedFile extends FileIdentity {
  readonly id: string;
  readonly title: string;
  readonly mtimeNs: bigint;
}

/** A file as it is on the disk. */
export interface FoundFile {
  readonly path: VaultPath;
  readonly stat: FileStat;
}

/** Whether a file is as it was recorded, told without reading it. */
export function isUnchanged(recorded: RecordedFile, { stat }: FoundFile): boolean {
  return recorded.inode === stat.inode && recorded.sizeBytes === stat.sizeBytes && recorded.mtimeNs === stat.mtimeNs;
}
