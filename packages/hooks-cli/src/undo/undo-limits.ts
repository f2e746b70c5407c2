import { tryReadRecord } from "../files/atomic-file.ts";
import { numberAt, recordAt } from "../json/json-value.ts";
import type { RecordLimits } from "./record-tree.ts";

const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;

/** What is recorded of a project, and for how long it is kept. */
export interface UndoLimits extends Omit<RecordLimits, "endMs"> {
  /** The space for one project, in bytes, without what its repository has itself. */
  readonly maxStoreBytes: number;
  readonly maxAgeMs: number;
}

/** The limits as set under `undo` in our configuration: `maxMb` of a project, `maxFileMb` of a file, and `days`. */
export function readUndoLimits(configPath: string): UndoLimits {
  const undo = recordAt(tryReadRecord(configPath) ?? {}, "undo") ?? {};
  const maxStoreBytes = (numberAt(undo, "maxMb") ?? 2_048) * MEGABYTE;
  return {
    maxStoreBytes,
    maxNewBytes: maxStoreBytes,
    maxFileBytes: (numberAt(undo, "maxFileMb") ?? 64) * MEGABYTE,
    maxIgnoredFileBytes: MEGABYTE,
    maxEntries: 300_000,
    maxAgeMs: (numberAt(undo, "days") ?? 14) * DAY_MS,
  };
}
