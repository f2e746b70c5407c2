import { createContentReader } from "./content-reader.ts";
import { DamagedError } from "./backup-error.ts";
import { referencedParts } from "./referenced-parts.ts";
import type { Repository } from "./repository/repository.ts";

/** The ids of the backups that need a chunk that was set aside and has not been stored anew since, the oldest first. */
export async function findDamagedBackups(repository: Repository): Promise<string[]> {
  const lost = await repository.chunks.listLost();
  if (lost.size === 0) return [];
  const damaged: string[] = [];
  for (const id of await repository.listBackups()) if (await needsAny(repository, id, lost)) damaged.push(id);
  return damaged;
}

async function needsAny(repository: Repository, id: string, lost: ReadonlySet<string>): Promise<boolean> {
  try {
    const read = createContentReader(repository.chunks);
    for await (const [chunk] of referencedParts(await repository.readManifest(id), read)) {
      if (lost.has(chunk)) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof DamagedError) return true;
    throw error;
  }
}
