import { column, defineQuery, type Queryable } from "@workspace/db";

/** What agents and hooks have done lately, in all processes. */
export interface ServerActivity {
  /** Runs of agents in progress. */
  readonly running: number;
  /** Runs that began within the last hour. */
  readonly runs: readonly { readonly status: string; readonly count: number }[];
  /** Hook events within the last day, as far as they are counted already. */
  readonly events: { readonly total: number; readonly blocked: number };
}

const running = defineQuery({
  name: "count-running-runs",
  row: { count: column.safeInteger.neverNull },
  text: "SELECT count(*) FROM agent_runs WHERE completed_at IS NULL AND status = 'running'",
});

const lastRuns = defineQuery({
  name: "count-last-runs",
  row: { status: column.text.neverNull, count: column.safeInteger.neverNull },
  text: `
    SELECT status::text AS status, count(*) FROM agent_runs WHERE started_at > now() - interval '1 hour'
    GROUP BY 1 ORDER BY 1`,
});

const lastEvents = defineQuery({
  name: "count-last-hook-events",
  row: { total: column.safeInteger.neverNull, blocked: column.safeInteger.neverNull },
  text: `
    SELECT COALESCE(sum(total), 0)::bigint AS total, COALESCE(sum(blocked), 0)::bigint AS blocked
    FROM hook_hourly_counts WHERE hour > now() - interval '1 day'`,
});

export async function selectActivity(db: Queryable): Promise<ServerActivity> {
  const [runningCount, runs, events] = await Promise.all([running.first(db), lastRuns.all(db), lastEvents.first(db)]);
  return { running: runningCount?.count ?? 0, runs, events: events ?? { total: 0, blocked: 0 } };
}
