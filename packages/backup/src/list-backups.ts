import { findDamagedBackups } from "./damaged-backups.ts";
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
  /** Whether it needs something that was found damaged and set aside. */
  readonly isDamaged: boolean;
}

/** All whole backups, the oldest first. */
export async function listBackups(repository: Repository): Promise<ListedBackup[]> {
  const list: ListedBackup[] = [];
  const damaged = new Set(await findDamagedBackups(repository));
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
      isDamaged: damaged.has(id),
    });
  }
  return list;
}
