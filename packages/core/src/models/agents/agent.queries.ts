import {
  column,
  defineCommand,
  defineComposedQuery,
  defineQuery,
  RunStatus,
  type PoolClient,
  type Queryable,
  type RowOf,
} from "@workspace/db";
import type { PageRange } from "../../platform/paging.ts";
import type { StoredAgent } from "./agent.schema.ts";

/** What is written when an agent is created or changed. */
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
  /** When the current schedule took effect: an earlier tick cannot have been missed. */
  readonly scheduledSince: Date;
  readonly updatedAt: Date;
}

const AGENT = {
  id: column.uuid,
  name: column.text,
  description: column.text.nullable,
  schedule: column.text,
  timezone: column.text.nullable,
  prompt: column.text,
  enabled: column.boolean,
  maxTurns: column.integer,
  maxBudgetUsd: column.numeric.nullable,
  dailyBudgetUsd: column.numeric.nullable,
  tools: column.texts.neverNull,
  restrictsTools: column.boolean,
  allowDestructive: column.boolean,
  createdAt: column.timestamp,
  updatedAt: column.timestamp,
  version: column.integer,
  lastRunAt: column.timestamp.nullable,
  lastStatus: column.oneOf(RunStatus).nullable,
  creatorId: column.uuid,
  creatorName: column.text,
};

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

type AgentRange = PageRange<readonly [name: string, id: string]>;

const agentsByName = defineComposedQuery({
  name: "select-agents",
  row: AGENT,
  compose: ({ limit, after }: AgentRange, bind) => {
    const where =
      after === undefined
        ? ""
        : `WHERE (a.name COLLATE "und-x-icu", a.id) > (${bind(after[0])} COLLATE "und-x-icu", ${bind(after[1])}::uuid)`;
    const limitClause = limit === undefined ? "" : `LIMIT ${bind(limit)}`;
    return `${SELECT} ${where} ORDER BY a.name COLLATE "und-x-icu", a.id ${limitClause}`;
  },
  examples: [
    { limit: 1, after: ["", ""] },
    { limit: undefined, after: undefined },
  ],
});

/** By name in natural alphabetical order, at most `limit`, after a position. */
export async function selectAgents(db: Queryable, range: AgentRange): Promise<StoredAgent[]> {
  return (await agentsByName.all(db, range)).map(toAgent);
}

const agentById = defineQuery({ name: "select-agent", row: AGENT, text: `${SELECT} WHERE a.id = $1` });

export async function selectAgent(db: Queryable, id: string): Promise<StoredAgent | null> {
  const row = await agentById.first(db, [id]);
  return row === null ? null : toAgent(row);
}

const lockedAgent = defineQuery({
  name: "lock-agent",
  row: { ...AGENT, scheduledSince: column.timestamp },
  isPrepared: true,
  text: `${selectWith('a.scheduled_since AS "scheduledSince",')} WHERE a.id = $1 FOR UPDATE OF a`,
});

/** Locks the agent until the transaction ends, so that nothing else can change it or start a scheduled run of it. */
export async function lockAgent(
  db: PoolClient,
  id: string,
): Promise<{ agent: StoredAgent; scheduledSince: string } | null> {
  const row = await lockedAgent.first(db, [id]);
  if (row === null) return null;
  const { scheduledSince, ...agent } = row;
  return { agent: toAgent(agent), scheduledSince };
}

const newAgent = defineCommand({
  name: "insert-agent",
  text: `
    INSERT INTO agents (id, name, description, schedule, timezone, prompt, enabled, max_turns, max_budget_usd,
      daily_budget_usd, tools, restricts_tools, allow_destructive, scheduled_since, updated_at, creator_id, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
});

export async function insertAgent(
  db: Queryable,
  agent: AgentValues & { creatorId: string; createdAt: Date },
): Promise<void> {
  await newAgent.run(db, [...ownValues(agent), agent.creatorId, agent.createdAt]);
}

const changedAgent = defineCommand({
  name: "update-agent",
  text: `
    UPDATE agents SET name = $2, description = $3, schedule = $4, timezone = $5, prompt = $6, enabled = $7,
      max_turns = $8, max_budget_usd = $9, daily_budget_usd = $10, tools = $11, restricts_tools = $12,
      allow_destructive = $13, scheduled_since = $14, updated_at = $15, version = version + 1
    WHERE id = $1`,
});

export async function updateAgent(db: Queryable, agent: AgentValues): Promise<void> {
  await changedAgent.run(db, ownValues(agent));
}

const switchedAgents = defineQuery({
  name: "set-agents-enabled",
  row: { id: column.uuid, name: column.text },
  text: `
    UPDATE agents SET enabled = $1, scheduled_since = $3, updated_at = $3, version = version + 1
    WHERE enabled <> $1 AND ($2::uuid[] IS NULL OR id = ANY($2)) RETURNING id, name`,
});

/** Enables or disables all agents or those with the given ids, and returns the ones that this changed. */
export function setAgentsEnabled(
  db: Queryable,
  { enabled, ids, now }: { enabled: boolean; ids: readonly string[] | null; now: Date },
): Promise<{ id: string; name: string }[]> {
  return switchedAgents.all(db, [enabled, ids, now]);
}

const deletedAgent = defineQuery({
  name: "delete-agent",
  row: { id: column.uuid, name: column.text },
  text: "DELETE FROM agents WHERE id = $1 RETURNING id, name",
});

/** Deletes an agent with its runs and ticks. */
export function deleteAgent(db: Queryable, id: string): Promise<{ id: string; name: string } | null> {
  return deletedAgent.first(db, [id]);
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

function toAgent({
  creatorId,
  creatorName,
  restrictsTools,
  tools,
  version,
  ...agent
}: RowOf<typeof AGENT>): StoredAgent {
  return {
    ...agent,
    version: String(version),
    tools: restrictsTools ? tools : null,
    creator: { id: creatorId, name: creatorName },
  };
}
