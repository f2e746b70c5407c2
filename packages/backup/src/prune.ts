import { BackupError, IncompleteError } from "./backup-error.ts";
import { createContentReader } from "./content-reader.ts";
import { readFileList } from "./file-list.ts";
import type { Manifest } from "./manifest.ts";
import { readNeeds } from "./needed-chunks.ts";
import type { Repository } from "./repository/repository.ts";
import { chooseKept, sortNewestFirst, type Retention } from "./retention.ts";
import { isSpared } from "./shrinkage.ts";
import { SERVICE_FOLDER } from "./vault/read-vault.ts";

/** Of the files that the newest backup should have. If it lacks more of them, it replaces no earlier one. */
const MAX_LACKING_SHARE = 0.1;

export interface PruneOptions {
  readonly isDryRun: boolean;
  readonly now: Date;
  /** The backup that was just made, which stays in any case; null if there is none. */
  readonly made: string | null;
}

export interface PruneResult {
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  /** Those of the kept ones that need something that is lost, the oldest first. */
  readonly damaged: readonly string[];
  readonly removedChunks: number;
  readonly freedBytes: number;
}

/**
 * Removes the backups that the retention does not keep, and then every chunk that no backup needs, and notes which of the needed ones
 * are lost. Throws {@link BackupError}, and removes nothing, if a backup's list cannot be read, or {@link IncompleteError} if the newest
 * backup lacks many of the files that its records name, which only earlier ones may have. Killed at any point, all remaining backups
 * are as whole as before.
 */
export async function prune(
  repository: Repository,
  retention: Retention,
  { isDryRun, now, made }: PruneOptions,
): Promise<PruneResult> {
  const ids = await repository.listBackups();
  const keptIds = chooseKept(ids, retention, now);
  if (made !== null) keptIds.add(made);
  const newest = made ?? sortNewestFirst(ids, now)[0];
  if (newest !== undefined && keptIds.size < ids.length) {
    const manifest = await repository.readManifest(newest).catch((cause: unknown) => {
      throw unreadable(newest, cause);
    });
    await assertReplaces(repository, manifest);
    for (const spared of manifest.spared ?? []) if (isSpared(spared, now)) keptIds.add(spared.id);
  }
  const removed = ids.filter((id) => !keptIds.has(id));
  return remove(repository, removed, { isDryRun, isNamed: false });
}

/**
 * Removes backups that a person has named, like {@link prune}; also if the list of another backup cannot be read, but then without their
 * chunks, which that one may need.
 */
export function removeBackups(
  repository: Repository,
  removed: readonly string[],
  { isDryRun }: Pick<PruneOptions, "isDryRun">,
): Promise<PruneResult> {
  return remove(repository, removed, { isDryRun, isNamed: true });
}

async function remove(
  repository: Repository,
  removed: readonly string[],
  { isDryRun, isNamed }: { readonly isDryRun: boolean; readonly isNamed: boolean },
): Promise<PruneResult> {
  const kept = (await repository.listBackups()).filter((id) => !removed.includes(id));
  const { chunks } = repository;
  const needs = await readNeeds(repository, kept, (id) => !chunks.has(id));
  if (!isDryRun) await chunks.noteMissing(needs.lost);
  const isKnown = needs.unreadable.size === 0;
  if (!isNamed) for (const [id, cause] of needs.unreadable) throw unreadable(id, cause);
  const sizes = isKnown ? [...chunks.sizes()].filter(([id]) => !needs.chunks.has(id)) : [];
  const unneeded = sizes.map(([id]) => id);
  const freedBytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  if (!isDryRun) {
    // Durably, before the first chunk: a power failure must not bring back the list of a backup whose chunks are gone.
    await repository.removeManifests(removed);
    await chunks.remove(unneeded);
    await repository.removeDrafts();
  }
  return { kept, removed, damaged: needs.damaged, removedChunks: unneeded.length, freedBytes };
}

function unreadable(id: string, cause: unknown): BackupError {
  const remedy = `If it stays so, remove it with \`npx workspace prune-backups --remove ${id}\`.`;
  return new BackupError(`The list of the backup ${id} cannot be read, so nothing is removed. ${remedy}`, { cause });
}

/** Throws unless the newest backup has what earlier ones have. */
async function assertReplaces(
  repository: Repository,
  { id, vault, disagreements }: Pick<Manifest, "id" | "vault" | "disagreements">,
): Promise<void> {
  const lacking = disagreements.filter(({ problem }) => problem !== "changed").length;
  if (lacking === 0) return;
  let known = lacking;
  for await (const { path } of readFileList(vault.files, createContentReader(repository.chunks))) {
    if (!path.startsWith(SERVICE_FOLDER)) known += 1;
  }
  if (lacking <= known * MAX_LACKING_SHARE) return;
  throw new IncompleteError(
    `The newest backup ${id} lacks ${lacking} of ${known} files of the vault, which were missing or could not be read, so no ` +
      "earlier backup is removed. Check the vault, and make another one.",
  );
}
