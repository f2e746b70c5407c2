import type { Manifest, SparedBackup } from "./manifest.ts";

/** Fewer files are never suspicious: someone may have deleted them. */
const MIN_FEWER = 10;
/** Of the files of the backup before. */
const MAX_FEWER_SHARE = 0.1;
const SPARED_MS = 30 * 24 * 60 * 60 * 1000;

/** That a backup has far fewer files than the one before, which only a person can judge. */
export interface Shrinkage {
  /** The backup before, which is kept besides what the retention keeps. */
  readonly before: string;
  readonly fewerFiles: number;
  readonly keptUntil: string;
}

/** Compares a vault that was read with the backup before. What the service itself keeps in it, such as trash, does not count. */
export function findShrinkage(
  before: Manifest | null,
  vault: Pick<Manifest["vault"], "fileCount" | "ownFileCount">,
  now: Date,
): Shrinkage | null {
  if (before === null) return null;
  const isKnown = before.vault.ownFileCount !== undefined && vault.ownFileCount !== undefined;
  const countOf = (counted: typeof vault): number => (isKnown ? (counted.ownFileCount ?? 0) : counted.fileCount);
  const fewerFiles = countOf(before.vault) - countOf(vault);
  if (fewerFiles < MIN_FEWER || fewerFiles <= countOf(before.vault) * MAX_FEWER_SHARE) return null;
  return { before: before.id, fewerFiles, keptUntil: new Date(now.getTime() + SPARED_MS).toISOString() };
}

/** Which backups are kept after a new one besides what the retention keeps: what the one before has spared, and that one itself. */
export function listSpared(before: Manifest | null, shrinkage: Shrinkage | null, now: Date): SparedBackup[] {
  const earlier = (before?.spared ?? []).filter((spared) => isSpared(spared, now));
  return shrinkage === null ? earlier : [...earlier, { id: shrinkage.before, until: shrinkage.keptUntil }];
}

export function isSpared({ until }: SparedBackup, now: Date): boolean {
  return Date.parse(until) > now.getTime();
}

/** What a person should know of it, as a sentence; nothing if there is none. */
export function describeShrinkage(shrinkage: Shrinkage | null): string[] {
  if (shrinkage === null) return [];
  const { before, fewerFiles, keptUntil } = shrinkage;
  return [
    `${fewerFiles} files fewer than in ${before}, which is kept until ${keptUntil.slice(0, 10)} in case they were not meant to go.`,
  ];
}
