import { readNeeds } from "./needed-chunks.ts";
import type { Repository } from "./repository/repository.ts";

/** The ids of the backups that need a chunk that is known to be lost and was not stored anew since, the oldest first. */
export async function findDamagedBackups(repository: Repository): Promise<readonly string[]> {
  const lost = await repository.chunks.listLost();
  if (lost.size === 0) return [];
  return (await readNeeds(repository, await repository.listBackups(), (id) => lost.has(id))).damaged;
}
