import { column, defineCommand, defineQuery, RunStatus, type Queryable, type RowOf } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import {
  MAX_NEWS_AGENTS,
  MAX_NEWS_CALLS,
  MAX_NEWS_ITEMS,
  MAX_NEWS_TEXT,
  type BlockedCall,
  type NewsAction,
  type NewsKind,
} from "./home.schema.ts";

const START = { readAt: column.timestamp.neverNull, isFirst: column.boolean.neverNull };

const startOfNews = defineQuery({
  name: "select-start-of-news",
  row: START,
  text: `
    SELECT COALESCE(r.read_at, u.created_at) AS "readAt", r.read_at IS NULL AS "isFirst"
    FROM users u LEFT JOIN news_reads r ON r.user_id = u.id WHERE u.id = $1`,
});

/** Up to when a person has read the news; if they never have (`isFirst`), when they joined. */
export function selectStartOfNews(db: Queryable, userId: string): Promise<RowOf<typeof START>> {
  return startOfNews.one(db, [userId]);
}

const read = defineCommand({
  name: "put-news-read-at",
  text: `
    INSERT INTO news_reads AS r (user_id, read_at) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET read_at = GREATEST(r.read_at, excluded.read_at)`,
});

/** Records up to when a person has read the news; never an earlier time than before. */
export async function putReadAt(db: Queryable, userId: string, until: Date): Promise<void> {
  await read.run(db, [userId, until]);
}

/** SQL: done by the person in $1: in the dashboard, or by the model of a chat that they watched. */
const IS_OWN = `(author ->> 'kind' IN ('person', 'chat') AND author ->> 'userId' = $1)`;

const NEWS = {
  kind: column.text.as<NewsKind>().neverNull,
  id: column.uuid.neverNull,
  title: column.text.neverNull,
  actions: column.json.as<NewsAction[]>().neverNull,
  count: column.safeInteger.neverNull,
  author: column.json.as<Author>().nullable,
  comment: column.text.nullable,
  isDeleted: column.boolean.neverNull,
  mentionsYou: column.boolean.neverNull,
  at: column.timestamp.neverNull,
  total: column.safeInteger.neverNull,
};
export type StoredNews = RowOf<typeof NEWS>;

const news = defineQuery({
  name: "select-news",
  row: NEWS,
  text: `
    WITH events (kind, id, action, author, comment, mentions, at) AS (
      SELECT 'task', task_id, 'changed', author, NULL::text, NULL::jsonb, created_at
      FROM task_changes WHERE created_at > $2 AND NOT ${IS_OWN}
      UNION ALL SELECT 'task', task_id, 'commented', author, left(text, ${MAX_NEWS_TEXT}), mentions, created_at
      FROM task_comments WHERE created_at > $2 AND NOT ${IS_OWN}
      UNION ALL SELECT 'task', id, 'created', author, NULL, NULL, created_at
      FROM tasks WHERE created_at > $2 AND NOT ${IS_OWN}
      UNION ALL SELECT 'document', id, CASE WHEN created_at > $2 THEN 'created' ELSE 'changed' END, author, NULL, NULL, modified_at
      FROM documents WHERE modified_at > $2 AND deleted_at IS NULL AND NOT ${IS_OWN}
      UNION ALL SELECT 'conversation', c.id, 'answered', NULL, NULL, NULL, m.created_at
      FROM conversations c JOIN messages m ON m.conversation_id = c.id
      WHERE c.creator_id = $1::uuid AND m.role = 'assistant' AND m.created_at > $2
    ),
    unread AS (
      SELECT e.kind, e.id, jsonb_agg(DISTINCT e.action) AS actions, count(*) AS count, max(e.at) AS at,
        (array_agg(e.author ORDER BY e.at DESC))[1] AS author,
        (array_agg(e.comment ORDER BY e.at DESC) FILTER (WHERE e.comment IS NOT NULL))[1] AS comment,
        COALESCE(bool_or(e.mentions @> jsonb_build_array(jsonb_build_object('kind', 'user', 'id', $1::text))), false) AS is_mentioned
      FROM events e LEFT JOIN shelf_items s ON s.user_id = $1::uuid AND s.kind = e.kind AND s.item_id = e.id::text
      WHERE s.opened_at IS NULL OR s.opened_at < e.at
      GROUP BY e.kind, e.id
    )
    SELECT u.kind, u.id, COALESCE(t.title, d.title, c.title) AS title, u.actions, u.count, u.author, u.comment,
      t.deleted_at IS NOT NULL AS "isDeleted", u.is_mentioned AS "mentionsYou", u.at, count(*) OVER () AS total
    FROM unread u
      LEFT JOIN tasks t ON u.kind = 'task' AND t.id = u.id
      LEFT JOIN documents d ON u.kind = 'document' AND d.id = u.id
      LEFT JOIN conversations c ON u.kind = 'conversation' AND c.id = u.id
    WHERE COALESCE(t.id, d.id, c.id) IS NOT NULL
    ORDER BY u.is_mentioned DESC, u.at DESC, u.id LIMIT ${MAX_NEWS_ITEMS}`,
});

/** What others changed since a time, and the person has not opened since; mentions of them first, then the latest. */
export function selectNews(db: Queryable, userId: string, since: Date): Promise<StoredNews[]> {
  return news.all(db, [userId, since]);
}

const AGENT = {
  agentId: column.uuid,
  name: column.text,
  runs: column.safeInteger.neverNull,
  failed: column.safeInteger.neverNull,
  runId: column.uuid,
  status: column.oneOf(RunStatus),
  text: column.text.neverNull,
  completedAt: column.timestamp.neverNull,
  total: column.safeInteger.neverNull,
};
export type StoredAgentNews = RowOf<typeof AGENT>;

const agents = defineQuery({
  name: "select-agent-news",
  row: AGENT,
  text: `
    WITH ended AS (
      SELECT agent_id, count(*) AS runs, count(*) FILTER (WHERE status IN ('error', 'budget_exceeded')) AS failed,
        max(completed_at) AS completed_at
      FROM agent_runs WHERE completed_at > $1 GROUP BY agent_id
    )
    SELECT a.id AS "agentId", a.name, e.runs, e.failed, r.id AS "runId", r.status,
      COALESCE(left(r.error_message, ${MAX_NEWS_TEXT}), right(r.output, ${MAX_NEWS_TEXT})) AS text,
      r.completed_at AS "completedAt", count(*) OVER () AS total
    FROM ended e JOIN agents a ON a.id = e.agent_id
      JOIN LATERAL (
        SELECT id, status, error_message, output, completed_at FROM agent_runs
        WHERE agent_id = e.agent_id AND completed_at = e.completed_at ORDER BY id DESC LIMIT 1
      ) r ON true
    ORDER BY e.failed > 0 DESC, e.completed_at DESC, a.id LIMIT ${MAX_NEWS_AGENTS}`,
});

/** The agents of which runs have ended since a time: those with failures first, then those that ended last. */
export function selectAgentNews(db: Queryable, since: Date): Promise<StoredAgentNews[]> {
  return agents.all(db, [since]);
}

const blocked = defineQuery({
  name: "select-blocked-calls-since",
  row: {
    id: column.uuid,
    sessionId: column.text.nullable,
    toolName: column.text.nullable,
    reason: column.text.nullable,
    at: column.timestamp,
    total: column.safeInteger.neverNull,
  },
  text: `
    SELECT id, session_id AS "sessionId", tool_name AS "toolName", left(block_reason, ${MAX_NEWS_TEXT}) AS reason,
      created_at AS at, count(*) OVER () AS total
    FROM hook_events WHERE blocked AND created_at > $1 ORDER BY created_at DESC LIMIT ${MAX_NEWS_CALLS}`,
});

/** The latest calls of assistants that were blocked since a time, and how many there were. */
export async function selectBlockedCalls(
  db: Queryable,
  since: Date,
): Promise<{ total: number; latest: BlockedCall[] }> {
  const rows = await blocked.all(db, [since]);
  const latest = rows.map(({ id, sessionId, toolName, reason, at }) => ({ id, sessionId, toolName, reason, at }));
  return { total: rows[0]?.total ?? 0, latest };
}

const SUMS = {
  costUsd: column.numeric.neverNull,
  isCostKnown: column.boolean.neverNull,
  assistantsCostUsd: column.numeric.neverNull,
  isAssistantsCostKnown: column.boolean.neverNull,
  learnt: column.safeInteger.neverNull,
  toReview: column.safeInteger.neverNull,
};

const sums = defineQuery({
  name: "select-news-sums",
  row: SUMS,
  text: `
    SELECT COALESCE(own.cost, 0) AS "costUsd", COALESCE(own.is_known, true) AS "isCostKnown",
      COALESCE(assistants.cost, 0) AS "assistantsCostUsd", COALESCE(assistants.is_known, true) AS "isAssistantsCostKnown",
      (SELECT count(*) FROM memory_chunks WHERE created_at > $1 AND deleted_at IS NULL) AS learnt,
      (SELECT count(*) FROM memory_chunks WHERE awaits_review AND deleted_at IS NULL) AS "toReview"
    FROM
      (SELECT sum(cost_usd) AS cost, bool_and(is_cost_known) AS is_known FROM usage_records WHERE created_at > $1) AS own,
      (SELECT sum(cost_usd) AS cost, bool_and(cost_usd IS NOT NULL) AS is_known
        FROM assistant_usage WHERE created_at > $1) AS assistants`,
});

/** What was spent and learnt since a time, and how many memories await review. */
export function selectSums(db: Queryable, since: Date): Promise<RowOf<typeof SUMS> | null> {
  return sums.first(db, [since]);
}
