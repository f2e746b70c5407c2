import { countRows } from "./manifest.ts";
import type { Repository } from "./repository/repository.ts";

/** A backup as lists show it. */
export interface ListedBackup {
  readonly id: string;
  readonly createdAt: string;
  readonly version: string;
  readonly rows: number;
  readonly files: number;
  readonly vaultBytes: number;
  readonly disagreements: number;
}

/** All whole backups, the oldest first. */
export async function listBackups(repository: Repository): Promise<ListedBackup[]> {
  const list: ListedBackup[] = [];
  for (const id of await repository.listBackups()) {
    const manifest = await repository.readManifest(id);
    const { createdAt, version, vault, disagreements } = manifest;
    list.push({
      id,
      createdAt,
      version,
      rows: countRows(manifest),
      files: vault.fileCount,
      vaultBytes: vault.totalBytes,
      disagreements: disagreements.length,
    });
  }
  return list;
}
