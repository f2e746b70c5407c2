import { BackupError } from "./backup-error.ts";
import { createContentReader } from "./content-reader.ts";
import { referencedParts } from "./referenced-parts.ts";
import type { Repository } from "./repository/repository.ts";
import { chooseKept, type Retention } from "./retention.ts";

export interface PruneResult {
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  readonly removedChunks: number;
  readonly freedBytes: number;
}

/**
 * Removes the backups that the retention does not keep, and then every chunk that no backup needs. Removes no chunk if a backup's
 * list cannot be read. Killed at any point, all remaining backups are whole.
 */
export async function prune(
  repository: Repository,
  retention: Retention,
  { isDryRun }: { isDryRun: boolean },
): Promise<PruneResult> {
  const ids = await repository.listBackups();
  const keptIds = chooseKept(ids, retention);
  const kept = ids.filter((id) => keptIds.has(id));
  const removed = ids.filter((id) => !keptIds.has(id));
  const needed = await neededChunks(repository, kept);
  const sizes = [...repository.chunks.sizes()].filter(([id]) => !needed.has(id));
  const unneeded = sizes.map(([id]) => id);
  const freedBytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  if (!isDryRun) {
    // Durably, before the first chunk: a power failure must not bring back the list of a backup whose chunks are gone.
    await repository.removeManifests(removed);
    await repository.chunks.remove(unneeded);
    await repository.removeDrafts();
  }
  return { kept, removed, removedChunks: unneeded.length, freedBytes };
}

async function neededChunks(repository: Repository, ids: readonly string[]): Promise<Set<string>> {
  const needed = new Set<string>();
  const read = createContentReader(repository.chunks);
  for (const id of ids) {
    try {
      for await (const [chunk] of referencedParts(await repository.readManifest(id), read)) needed.add(chunk);
    } catch (cause) {
      throw new BackupError(`The list of the backup ${id} cannot be read, so nothing is removed.`, { cause });
    }
  }
  return needed;
}
