import { column, defineCommand, defineQuery, TickOutcome } from "@workspace/db";
import type { PoolClient, Queryable, RowOf } from "@workspace/db";

/** An enabled agent as the scheduler sees it. */
const SCHEDULED_AGENT = {
  id: column.uuid,
  name: column.text,
  schedule: column.text,
  timezone: column.text.nullable,
  scheduledSince: column.timestamp,
};
export type ScheduledAgent = Readonly<RowOf<typeof SCHEDULED_AGENT>>;

const scheduledAgents = defineQuery({
  name: "select-scheduled-agents",
  row: SCHEDULED_AGENT,
  text: `
    SELECT id, name, schedule, timezone, scheduled_since AS "scheduledSince" FROM agents
    WHERE enabled AND ($1::uuid IS NULL OR id = $1)`,
});

/** The enabled agents, all or the one with the given id. */
export function selectScheduledAgents(db: Queryable, id: string | null = null): Promise<ScheduledAgent[]> {
  return scheduledAgents.all(db, [id]);
}

const takenTick = defineQuery({
  name: "select-tick",
  row: { runId: column.uuid.nullable },
  isPrepared: true,
  text: `SELECT run_id AS "runId" FROM agent_ticks WHERE agent_id = $1 AND tick_at = $2`,
});

/** The tick if a process has already claimed it; null otherwise. */
export function selectTick(db: Queryable, agentId: string, tickAt: Date): Promise<{ runId: string | null } | null> {
  return takenTick.first(db, [agentId, tickAt]);
}

const newTick = defineQuery({
  name: "insert-tick",
  row: { outcome: column.oneOf(TickOutcome) },
  isPrepared: true,
  text: `
    WITH agent AS (
      SELECT CASE WHEN $4 THEN 'skipped_late'
        WHEN EXISTS (SELECT FROM agent_runs WHERE agent_id = $1 AND status = 'running') THEN 'skipped_overlap'
        ELSE 'started' END::tick_outcome AS outcome
    )
    INSERT INTO agent_ticks (agent_id, tick_at, outcome, run_id, claimed_at)
    SELECT $1, $2, outcome, CASE WHEN outcome = 'started' THEN $3::uuid END, $5::timestamptz FROM agent
    ON CONFLICT DO NOTHING RETURNING outcome`,
});

/**
 * Claims a tick and returns its outcome; null if another process has claimed it, after waiting for one that is about to. The
 * agent must be locked, or two of its ticks could both find it idle.
 */
export async function insertTick(
  db: PoolClient,
  tick: { agentId: string; tickAt: Date; runId: string; isLate: boolean; claimedAt: Date },
): Promise<TickOutcome | null> {
  const taken = await newTick.first(db, [tick.agentId, tick.tickAt, tick.runId, tick.isLate, tick.claimedAt]);
  return taken?.outcome ?? null;
}

const coalescedTicks = defineCommand({
  name: "insert-coalesced-ticks",
  text: `
    INSERT INTO agent_ticks (agent_id, tick_at, outcome, claimed_at)
    SELECT a.id, tick_at, 'coalesced', $3::timestamptz FROM agents a, unnest($2::timestamptz[]) AS tick_at
    WHERE a.id = $1 ON CONFLICT DO NOTHING`,
});

/** Claims ticks that are not run because a later one stands in for them. Ticks that are already claimed stay unchanged. */
export async function insertCoalescedTicks(
  db: Queryable,
  { agentId, ticks, claimedAt }: { agentId: string; ticks: readonly Date[]; claimedAt: Date },
): Promise<void> {
  await coalescedTicks.run(db, [agentId, ticks, claimedAt]);
}

const takenTicksSince = defineQuery({
  name: "select-ticks-since",
  row: { tickAt: column.timestamp },
  text: `SELECT tick_at AS "tickAt" FROM agent_ticks WHERE agent_id = $1 AND tick_at >= $2 ORDER BY tick_at`,
});

/** The ticks claimed since a time, in order. */
export async function selectTicksSince(db: Queryable, agentId: string, since: Date): Promise<string[]> {
  return (await takenTicksSince.all(db, [agentId, since])).map(({ tickAt }) => tickAt);
}

const lastTakenTick = defineQuery({
  name: "select-last-tick",
  row: { tickAt: column.timestamp.nullable },
  text: `SELECT max(tick_at) AS "tickAt" FROM agent_ticks WHERE agent_id = $1`,
});

/** The last claimed tick; null if there is none. */
export async function selectLastTick(db: Queryable, agentId: string): Promise<string | null> {
  return (await lastTakenTick.one(db, [agentId])).tickAt;
}

const forgottenTicks = defineCommand({
  name: "delete-ticks-before",
  text: `
    DELETE FROM agent_ticks t USING agents a WHERE t.agent_id = a.id AND t.tick_at < $1
      AND t.tick_at < (SELECT max(tick_at) FROM agent_ticks WHERE agent_id = a.id)`,
});

/** Deletes ticks from before a time, which must be long past: a deleted tick could be claimed again. */
export async function deleteTicksBefore(db: Queryable, before: Date): Promise<void> {
  await forgottenTicks.run(db, [before]);
}
