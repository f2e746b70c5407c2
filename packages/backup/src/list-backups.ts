import { DamagedError } from "./backup-error.ts";
import { findDamagedBackups } from "./damaged-backups.ts";
import { countRows, type Manifest } from "./manifest.ts";
import type { Repository } from "./repository/repository.ts";
import { timeOf } from "./retention.ts";

/** A backup as lists show it. */
export interface ListedBackup {
  readonly id: string;
  readonly createdAt: string;
  readonly version: string;
  readonly rows: number;
  readonly files: number;
  readonly vaultBytes: number;
  readonly disagreements: number;
  /** Whether it needs something that is known to be lost. If its own list is damaged, nothing but its time is known of it. */
  readonly isDamaged: boolean;
}

/** All whole backups, the oldest first. */
export async function listBackups(repository: Repository): Promise<ListedBackup[]> {
  const list: ListedBackup[] = [];
  const damaged = new Set(await findDamagedBackups(repository));
  for (const id of await repository.listBackups()) {
    const manifest = await repository.readManifest(id).catch((error: unknown) => {
      if (error instanceof DamagedError) return null;
      throw error;
    });
    list.push(manifest === null ? unreadable(id) : { ...toListed(manifest), isDamaged: damaged.has(id) });
  }
  return list;
}

function toListed(manifest: Manifest): Omit<ListedBackup, "isDamaged"> {
  const { id, createdAt, version, vault, disagreements } = manifest;
  return {
    id,
    createdAt,
    version,
    rows: countRows(manifest),
    files: vault.fileCount,
    vaultBytes: vault.totalBytes,
    disagreements: disagreements.length,
  };
}

function unreadable(id: string): ListedBackup {
  const createdAt = timeOf(id).toISOString();
  return { id, createdAt, version: "unknown", rows: 0, files: 0, vaultBytes: 0, disagreements: 0, isDamaged: true };
}
