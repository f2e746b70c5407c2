import type { FileIdentity } from "../file-records/document-identity.ts";
import type { FileStat } from "../vault/file-stat.ts";
import type { VaultPath } from "../vault/vault-path.ts";

/** A file as recorded by its document. */
export interface RecordedFile extends FileIdentity {
  readonly id: string;
  readonly title: string;
  readonly mtimeNs: bigint;
}

/** A file found on disk. */
export interface FoundFile {
  readonly path: VaultPath;
  readonly stat: FileStat;
}

/** Whether a file matches what was recorded, judging by its metadata. */
export function isUnchanged(recorded: RecordedFile, { stat }: FoundFile): boolean {
  return recorded.inode === stat.inode && recorded.sizeBytes === stat.sizeBytes && recorded.mtimeNs === stat.mtimeNs;
}
