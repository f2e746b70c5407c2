import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { measureAll } from "./measure.queries.ts";
import { removeOldest, tryLockPruning, unlockPruning } from "./removal.queries.ts";
import { forEachKind, RETENTION_KINDS, type RetentionDays, type RetentionKind } from "./retention-kinds.ts";
import { recordPruning, type PruningRecord } from "./pruning-record.ts";
import type { RetentionPreview } from "./retention.schema.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Rows that one statement removes: some tens of milliseconds. */
const BATCH_ROWS = 1_000;
const MAX_PAUSE_MS = 500;

/** The trash of a vault, whose files are removed together with what the database knows of them. */
export interface OldTrash {
  /** Removes what was deleted before a time, until it is aborted, and returns how many deletions that were. */
  removeBefore(before: Date, signal: AbortSignal): Promise<number>;
}

export interface PruningDeps extends Deps<"db" | "clock"> {
  readonly oldTrash: OldTrash;
  readonly retentionDays: () => Promise<RetentionDays>;
}

export interface PruneOptions {
  readonly signal: AbortSignal;
  /** Whether requests are served meanwhile: it then pauses for as long as it works. */
  readonly isBackground: boolean;
}

export type Pruning = ReturnType<typeof createPruning>;

/** Removes what is old, in small steps, in one of all processes. */
export function createPruning({ db, clock, oldTrash, retentionDays }: PruningDeps) {
  async function limits(): Promise<Record<RetentionKind, Date | null>> {
    const days = await retentionDays();
    const now = clock.now().getTime();
    return forEachKind((kind) => {
      const kept = days[kind];
      return kept === null ? null : new Date(now - kept * DAY_MS);
    });
  }

  async function removeRows(
    kind: Exclude<RetentionKind, "trash">,
    before: Date,
    { signal, isBackground }: PruneOptions,
    onRemoved: (rows: number) => Promise<void>,
  ): Promise<void> {
    let from: string | null = null;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const { removed, until } = await removeOldest(db.pool, kind, { before, from, limit: BATCH_ROWS });
      if (removed === 0) return;
      from = until;
      await onRemoved(removed);
      const pauseMs = Math.min(performance.now() - startedAt, MAX_PAUSE_MS);
      if (isBackground) await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async function removeAll(options: PruneOptions): Promise<PruningRecord> {
    const before = await limits();
    const removed = new Map<RetentionKind, number>();
    const startedAt = clock.now().toISOString();
    const record = async (completedAt: string | null): Promise<PruningRecord> => {
      const counts = RETENTION_KINDS.map((kind) => ({ kind, rows: removed.get(kind) ?? 0 }));
      const run = { startedAt, completedAt, removed: counts.filter(({ rows }) => rows > 0) };
      await recordPruning({ db, clock }, run);
      return run;
    };
    await record(null);
    for (const kind of RETENTION_KINDS) {
      const limit = before[kind];
      if (limit === null || options.signal.aborted) continue;
      const count = async (rows: number) => void removed.set(kind, (removed.get(kind) ?? 0) + rows);
      if (kind === "trash") await count(await oldTrash.removeBefore(limit, options.signal));
      else await removeRows(kind, limit, options, count);
      if (removed.has(kind)) await record(null);
    }
    return record(options.signal.aborted ? null : clock.now().toISOString());
  }

  return {
    /**
     * Removes everything that is old. Null if another process is doing it. May be ended at any moment: what is left is removed the
     * next time.
     */
    prune: (options: PruneOptions): Promise<PruningRecord | null> => inOneProcess(db, () => removeAll(options)),

    /** What would be removed now. */
    async preview(): Promise<RetentionPreview> {
      const [days, before] = await Promise.all([retentionDays(), limits()]);
      const measured = await measureAll(db.pool, before);
      return RETENTION_KINDS.map((kind) => ({ kind, days: days[kind], ...measured[kind] }));
    },
  };
}

/** Runs work unless another process is running it; then it returns null. If a process dies, its lock goes with its connection. */
async function inOneProcess<Result>(db: Db, work: () => Promise<Result>): Promise<Result | null> {
  const client = await db.pool.connect();
  let isLocked = true;
  try {
    isLocked = await tryLockPruning(client);
    if (!isLocked) return null;
    const result = await work();
    await unlockPruning(client);
    isLocked = false;
    return result;
  } finally {
    // A connection that still holds the lock must not be reused.
    client.release(isLocked);
  }
}
