import type { Pool, PoolClient } from "@workspace/db";

type Queryable = Pool | PoolClient;

export type TickOutcome = "started" | "skipped_overlap" | "skipped_late" | "coalesced";

/** An enabled agent as the scheduler sees it. */
export interface ScheduledAgent {
  readonly id: string;
  readonly name: string;
  readonly schedule: string;
  readonly timezone: string | null;
  readonly scheduledSince: string;
}

/** The enabled agents, all or the one with the given id. */
export async function selectScheduledAgents(pool: Pool, id: string | null = null): Promise<ScheduledAgent[]> {
  const { rows } = await pool.query<ScheduledAgent>(
    `SELECT id, name, schedule, timezone, scheduled_since AS "scheduledSince" FROM agents
     WHERE enabled AND ($1::uuid IS NULL OR id = $1)`,
    [id],
  );
  return rows;
}

/** The tick where a process has taken it already; null otherwise. */
export async function selectTick(
  db: Queryable,
  agentId: string,
  tickAt: Date,
): Promise<{ runId: string | null } | null> {
  const { rows } = await db.query<{ runId: string | null }>({
    name: "select-tick",
    text: `SELECT run_id AS "runId" FROM agent_ticks WHERE agent_id = $1 AND tick_at = $2`,
    values: [agentId, tickAt],
  });
  return rows[0] ?? null;
}

/**
 * Takes a tick and answers what becomes of it; null where another process has it. Waits for one that is just taking it. The
 * agent has to be locked, or two ticks of it could both find it idle.
 */
export async function insertTick(
  db: PoolClient,
  tick: { agentId: string; tickAt: Date; runId: string; isLate: boolean; claimedAt: Date },
): Promise<TickOutcome | null> {
  const { rows } = await db.query<{ outcome: TickOutcome }>({
    name: "insert-tick",
    text: `
      WITH agent AS (
        SELECT CASE WHEN $4 THEN 'skipped_late'
          WHEN EXISTS (SELECT FROM agent_runs WHERE agent_id = $1 AND status = 'running') THEN 'skipped_overlap'
          ELSE 'started' END::tick_outcome AS outcome
      )
      INSERT INTO agent_ticks (agent_id, tick_at, outcome, run_id, claimed_at)
      SELECT $1, $2, outcome, CASE WHEN outcome = 'started' THEN $3::uuid END, $5::timestamptz FROM agent
      ON CONFLICT DO NOTHING RETURNING outcome`,
    values: [tick.agentId, tick.tickAt, tick.runId, tick.isLate, tick.claimedAt],
  });
  return rows[0]?.outcome ?? null;
}

/** Takes ticks that are not to be run, because a later one stands for them. Those that another process has stay as they are. */
export async function insertCoalescedTicks(
  db: Queryable,
  { agentId, ticks, claimedAt }: { agentId: string; ticks: readonly Date[]; claimedAt: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO agent_ticks (agent_id, tick_at, outcome, claimed_at)
     SELECT a.id, tick_at, 'coalesced', $3::timestamptz FROM agents a, unnest($2::timestamptz[]) AS tick_at
     WHERE a.id = $1 ON CONFLICT DO NOTHING`,
    [agentId, ticks, claimedAt],
  );
}

/** The ticks since a time that a process has taken, in order. */
export async function selectTicksSince(db: Queryable, agentId: string, since: Date): Promise<string[]> {
  const { rows } = await db.query<{ tickAt: string }>(
    `SELECT tick_at AS "tickAt" FROM agent_ticks WHERE agent_id = $1 AND tick_at >= $2 ORDER BY tick_at`,
    [agentId, since],
  );
  return rows.map(({ tickAt }) => tickAt);
}

/** When the last tick was that a process has taken; null for none. */
export async function selectLastTick(db: Queryable, agentId: string): Promise<string | null> {
  const { rows } = await db.query<{ tickAt: string | null }>(
    `SELECT max(tick_at) AS "tickAt" FROM agent_ticks WHERE agent_id = $1`,
    [agentId],
  );
  return rows[0]?.tickAt ?? null;
}

/** Forgets ticks from before a time. It must be long past, since a tick that is forgotten could be taken again. */
export async function deleteTicksBefore(db: Queryable, before: Date): Promise<void> {
  await db.query(
    `DELETE FROM agent_ticks t USING agents a WHERE t.agent_id = a.id AND t.tick_at < $1
       AND t.tick_at < (SELECT max(tick_at) FROM agent_ticks WHERE agent_id = a.id)`,
    [before],
  );
}
