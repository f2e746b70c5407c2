import type { Db } from "@workspace/db";

/** What became of the ticks of agents that are due every second. */
export interface TickCounts {
  due: number;
  taken: number;
  started: number;
  overlapping: number;
  late: number;
  duplicated: number;
  medianLagS: number;
  worstLagS: number;
}

/** From the first second in which an agent ran until the end, it was due in every second. */
export async function countTicks(db: Db, end: Date): Promise<TickCounts> {
  const { rows } = await db.pool.query<TickCounts>(
    `WITH since AS (SELECT agent_id, min(tick_at) AS first FROM agent_ticks GROUP BY agent_id),
     due AS (SELECT agent_id, generate_series(first, $1, interval '1 second') AS tick_at FROM since)
     SELECT count(*) AS due, count(t.tick_at) AS taken,
       count(*) FILTER (WHERE t.outcome = 'started') AS started,
       count(*) FILTER (WHERE t.outcome = 'skipped_overlap') AS overlapping,
       count(*) FILTER (WHERE t.outcome = 'skipped_late') AS late,
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM t.claimed_at - t.tick_at))::numeric, 2) AS "medianLagS",
       round(max(extract(epoch FROM t.claimed_at - t.tick_at)), 2) AS "worstLagS",
       (SELECT count(*) FROM agent_runs) - (SELECT count(*) FROM agent_ticks WHERE outcome = 'started') AS duplicated
     FROM due LEFT JOIN agent_ticks t USING (agent_id, tick_at)`,
    [end],
  );
  const [counts] = rows;
  if (counts === undefined) throw new Error("No ticks were recorded.");
  return counts;
}
