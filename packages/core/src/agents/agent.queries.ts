import type { Pool, PoolClient } from "@workspace/db";
import type { StoredAgent } from "./agent.schema.ts";

type Queryable = Pool | PoolClient;

/** What is written when an agent is made or changed. */
export interface AgentValues {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly schedule: string;
  readonly timezone: string | null;
  readonly prompt: string;
  readonly enabled: boolean;
  readonly maxTurns: number;
  readonly maxBudgetUsd: number | null;
  readonly dailyBudgetUsd: number | null;
  readonly tools: readonly string[] | null;
  readonly allowDestructive: boolean;
  /** Since when the schedule has been in force: a tick from before was never missed. */
  readonly scheduledSince: Date;
  readonly updatedAt: Date;
}

interface AgentRow extends Omit<StoredAgent, "creator" | "tools" | "version"> {
  version: number;
  tools: string[];
  restrictsTools: boolean;
  creatorId: string;
  creatorName: string;
}

const OWN_COLUMNS = `
  a.id, a.name, a.description, a.schedule, a.timezone, a.prompt, a.enabled, a.max_turns AS "maxTurns",
  a.max_budget_usd AS "maxBudgetUsd", a.daily_budget_usd AS "dailyBudgetUsd", a.tools,
  a.restricts_tools AS "restrictsTools", a.allow_destructive AS "allowDestructive", a.created_at AS "createdAt",
  a.updated_at AS "updatedAt", a.version`;

const selectWith = (more: string) => `
  SELECT ${more} ${OWN_COLUMNS}, last_run.started_at AS "lastRunAt", last_run.status AS "lastStatus",
    u.id AS "creatorId", u.name AS "creatorName"
  FROM agents a JOIN users u ON u.id = a.creator_id
  LEFT JOIN LATERAL (
    SELECT started_at, status FROM agent_runs WHERE agent_id = a.id ORDER BY started_at DESC, id DESC LIMIT 1
  ) AS last_run ON true`;

const SELECT = selectWith("");

/** Alphabetically by name as people sort, at most `limit`, after a position. */
export async function selectAgents(
  db: Queryable,
  { limit, after }: { limit: number | undefined; after: readonly [name: string, id: string] | undefined },
): Promise<StoredAgent[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where =
    after === undefined
      ? ""
      : `WHERE (a.name COLLATE "und-x-icu", a.id) > (${bind(after[0])} COLLATE "und-x-icu", ${bind(after[1])}::uuid)`;
  const limitClause = limit === undefined ? "" : `LIMIT ${bind(limit)}`;
  const { rows } = await db.query<AgentRow>(
    `${SELECT} ${where} ORDER BY a.name COLLATE "und-x-icu", a.id ${limitClause}`,
    values,
  );
  return rows.map(toAgent);
}

export async function selectAgent(db: Queryable, id: string): Promise<StoredAgent | null> {
  const { rows } = await db.query<AgentRow>(`${SELECT} WHERE a.id = $1`, [id]);
  const [row] = rows;
  return row === undefined ? null : toAgent(row);
}

/** Holds the agent until the transaction ends, so that nobody else changes it or begins a run of it by schedule. */
export async function lockAgent(
  db: PoolClient,
  id: string,
): Promise<{ agent: StoredAgent; scheduledSince: string } | null> {
  const { rows } = await db.query<AgentRow & { scheduledSince: string }>({
    name: "lock-agent",
    text: `${selectWith('a.scheduled_since AS "scheduledSince",')} WHERE a.id = $1 FOR UPDATE OF a`,
    values: [id],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { scheduledSince, ...agent } = row;
  return { agent: toAgent(agent), scheduledSince };
}

export async function insertAgent(
  db: Queryable,
  agent: AgentValues & { creatorId: string; createdAt: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO agents (id, name, description, schedule, timezone, prompt, enabled, max_turns, max_budget_usd,
       daily_budget_usd, tools, restricts_tools, allow_destructive, scheduled_since, updated_at, creator_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [...ownValues(agent), agent.creatorId, agent.createdAt],
  );
}

export async function updateAgent(db: Queryable, agent: AgentValues): Promise<void> {
  await db.query(
    `UPDATE agents SET name = $2, description = $3, schedule = $4, timezone = $5, prompt = $6, enabled = $7,
       max_turns = $8, max_budget_usd = $9, daily_budget_usd = $10, tools = $11, restricts_tools = $12,
       allow_destructive = $13, scheduled_since = $14, updated_at = $15, version = version + 1
     WHERE id = $1`,
    ownValues(agent),
  );
}

/** Switches agents on or off, all or those with the given ids, and answers the ones that this changed. */
export async function setAgentsEnabled(
  db: Queryable,
  { enabled, ids, now }: { enabled: boolean; ids: readonly string[] | null; now: Date },
): Promise<{ id: string; name: string }[]> {
  const { rows } = await db.query<{ id: string; name: string }>(
    `UPDATE agents SET enabled = $1, scheduled_since = $3, updated_at = $3, version = version + 1
     WHERE enabled <> $1 AND ($2::uuid[] IS NULL OR id = ANY($2)) RETURNING id, name`,
    [enabled, ids, now],
  );
  return rows;
}

/** Removes an agent with its runs and ticks. */
export async function deleteAgent(db: Queryable, id: string): Promise<{ id: string; name: string } | null> {
  const { rows } = await db.query<{ id: string; name: string }>("DELETE FROM agents WHERE id = $1 RETURNING id, name", [
    id,
  ]);
  return rows[0] ?? null;
}

function ownValues(agent: AgentValues): unknown[] {
  return [
    agent.id,
    agent.name,
    agent.description,
    agent.schedule,
    agent.timezone,
    agent.prompt,
    agent.enabled,
    agent.maxTurns,
    agent.maxBudgetUsd,
    agent.dailyBudgetUsd,
    agent.tools ?? [],
    agent.tools !== null,
    agent.allowDestructive,
    agent.scheduledSince,
    agent.updatedAt,
  ];
}

function toAgent({ creatorId, creatorName, restrictsTools, tools, version, ...agent }: AgentRow): StoredAgent {
  return {
    ...agent,
    version: String(version),
    tools: restrictsTools ? tools : null,
    creator: { id: creatorId, name: creatorName },
  };
}
