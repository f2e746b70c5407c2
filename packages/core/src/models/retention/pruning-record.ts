import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import { insertSetting, putSetting, selectSetting } from "../../platform/setting.queries.ts";
import { RETENTION_KINDS } from "./retention-kinds.ts";

const LAST_RUN = "retention.last_run";
const SINCE = "retention.since";

const runSchema = z.object({
  startedAt: z.string(),
  completedAt: z.string().nullable(),
  removed: z.array(z.object({ kind: z.enum(RETENTION_KINDS), rows: z.number() })),
});

/** What one run has removed; without an end if it is running, or has been ended. */
export type PruningRecord = z.infer<typeof runSchema>;

type RecordDeps = Deps<"db" | "clock">;

export async function recordPruning({ db, clock }: RecordDeps, run: PruningRecord): Promise<void> {
  await putSetting(db.pool, { key: LAST_RUN, value: run, now: clock.now() });
}

/** The last run; null if there was none. */
export async function readPruning({ db }: Deps<"db">): Promise<PruningRecord | null> {
  return runSchema.safeParse(await selectSetting(db.pool, LAST_RUN)).data ?? null;
}

const sinceSchema = z.object({ at: z.string() });

/** Since when something is removed in this workspace at all. It is recorded by the first process that looks. */
export async function noteSince({ db, clock }: RecordDeps): Promise<void> {
  const now = clock.now();
  await insertSetting(db.pool, { key: SINCE, value: { at: now.toISOString() }, now });
}

/** Null if nobody has looked yet. */
export async function readSince({ db }: Deps<"db">): Promise<Date | null> {
  const { data } = sinceSchema.safeParse(await selectSetting(db.pool, SINCE));
  return data === undefined ? null : new Date(data.at);
}
