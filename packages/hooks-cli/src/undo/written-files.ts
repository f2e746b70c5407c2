import { type CachedEntry, type Stamp, UNSETTLED } from "./packed-entries.ts";
import type { RawPath } from "./raw-path.ts";
import { settledStamp } from "./tree-cache.ts";

/** What a file looked like when an undo had written it. */
export interface WrittenFile extends Stamp {
  /** The object with its content. */
  readonly id: string;
  /** Until then nobody else could get at it. */
  readonly hiddenUntilMs: number;
}

export type WrittenFiles = ReadonlyMap<RawPath, WrittenFile>;

/**
 * The entry of a file that an undo has written, which need not be read; undefined if somebody has written to it since. What others may
 * have done within the same moment counts as done after the undo: the next record reads the file.
 */
export function entryOfWritten(file: WrittenFile, name: RawPath, stat: Stamp): CachedEntry | undefined {
  const { id, mode, size, ino, mtimeMs, ctimeMs, hiddenUntilMs } = file;
  if (stat.mode !== mode || stat.size !== size || stat.ino !== ino || stat.mtimeMs !== mtimeMs) return undefined;
  // The last time changes also when the file is renamed.
  const stamp = stat.ctimeMs === ctimeMs ? settledStamp(stat, hiddenUntilMs) : UNSETTLED;
  return { ...stamp, mode, name, id };
}

/** `hiddenUntilMs` is 0 if it was never hidden, or has been renamed. */
export function writtenFile({ mode, size, ino, mtimeMs, ctimeMs }: Stamp, id: string, hiddenUntilMs = 0): WrittenFile {
  return { mode, size, ino, mtimeMs, ctimeMs, id, hiddenUntilMs };
}
