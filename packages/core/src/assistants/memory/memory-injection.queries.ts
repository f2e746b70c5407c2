import {
  ChunkType,
  column,
  defineCommand,
  defineComposedQuery,
  defineQuery,
  InjectionReason,
  type Queryable,
} from "@workspace/db";
import type { PageRange } from "../../platform/paging.ts";
import type { GivenMemory, MemoryInjection } from "./memory-injection.schema.ts";

/** A memory as it is given to a session. */
export interface NewInjection {
  readonly sessionId: string;
  readonly memoryId: string;
  readonly reason: MemoryInjection["reason"];
  readonly subject: string | null;
  readonly tokens: number;
  readonly givenAt: string;
}

const newInjections = defineCommand({
  name: "insert-memory-injections",
  isPrepared: true,
  text: `
    INSERT INTO memory_injections (session_id, memory_id, reason, subject, tokens, given_at)
    SELECT "sessionId", "memoryId", reason, subject, tokens, "givenAt"
    FROM jsonb_to_recordset($1) AS given("sessionId" text, "memoryId" uuid, reason injection_reason, subject text,
      tokens integer, "givenAt" timestamptz)
    WHERE EXISTS (SELECT FROM memory_chunks m WHERE m.id = "memoryId" AND m.deleted_at IS NULL)
    ORDER BY "sessionId", "memoryId", "givenAt"
    ON CONFLICT DO NOTHING`,
});

/**
 * Records what sessions were given, and returns how many memories their session had not been given before. What no longer
 * exists is left out. They are written in the order of the key, so that concurrent calls cannot deadlock.
 */
export function insertMemoryInjections(db: Queryable, injections: readonly NewInjection[]): Promise<number> {
  return newInjections.run(db, [JSON.stringify(injections)]);
}

type InjectionRange = PageRange<readonly [givenAt: string, sessionId: string]>;

const OCCASION = {
  reason: column.oneOf(InjectionReason),
  subject: column.text.nullable,
  tokens: column.integer,
  givenAt: column.timestamp,
  usedAt: column.timestamp.nullable,
  isUseVisible: column.boolean,
  notUsefulAt: column.timestamp.nullable,
};
const INJECTION = { sessionId: column.text, ...OCCASION };

const OCCASION_COLUMNS = `reason, subject, tokens, given_at AS "givenAt", used_at AS "usedAt",
  is_use_visible AS "isUseVisible", not_useful_at AS "notUsefulAt"`;
const COLUMNS = `session_id AS "sessionId", ${OCCASION_COLUMNS}`;

const injectionsOfMemory = defineComposedQuery({
  name: "select-memory-injections",
  row: INJECTION,
  compose: ({ memoryId, after, limit }: InjectionRange & { memoryId: string }, bind) => `
    SELECT ${COLUMNS}
    FROM memory_injections WHERE memory_id = ${bind(memoryId)}
      ${after === undefined ? "" : `AND (given_at, session_id) < (${bind(after[0])}::timestamptz, ${bind(after[1])})`}
    ORDER BY given_at DESC, session_id DESC LIMIT ${bind(limit)}`,
  examples: [
    { memoryId: "", after: ["", ""], limit: 1 },
    { memoryId: "", after: undefined, limit: 1 },
  ],
});

/** The times a memory was given, latest first, at most `limit`, after a position. */
export function selectMemoryInjections(
  db: Queryable,
  memoryId: string,
  range: InjectionRange,
): Promise<MemoryInjection[]> {
  return injectionsOfMemory.all(db, { memoryId, ...range });
}

/** A page of memories shows so much of each. */
const MAX_CONTENT_LENGTH = 300;

const givenMemories = defineQuery({
  name: "select-memories-given-to-session",
  row: { memoryId: column.uuid, chunkType: column.oneOf(ChunkType), content: column.text.neverNull, ...OCCASION },
  text: `
    SELECT memory_id AS "memoryId", m.chunk_type AS "chunkType", left(m.content, ${MAX_CONTENT_LENGTH}) AS content, ${OCCASION_COLUMNS}
    FROM memory_injections JOIN memory_chunks m ON m.id = memory_id AND m.deleted_at IS NULL
    WHERE memory_injections.session_id = $1 ORDER BY given_at DESC, memory_id DESC LIMIT $2`,
});

/** What a session was given, latest first. */
export function selectMemoriesGivenToSession(db: Queryable, sessionId: string, limit: number): Promise<GivenMemory[]> {
  return givenMemories.all(db, [sessionId, limit]);
}

const judgedInjection = defineQuery({
  name: "judge-memory-injection",
  row: INJECTION,
  text: `
    UPDATE memory_injections SET not_useful_at = $3 WHERE memory_id = $1 AND session_id = $2 RETURNING ${COLUMNS}`,
});

/** Records when a person said that a memory was not useful to a session; null where it was not given to that session. */
export function judgeMemoryInjection(
  db: Queryable,
  { memoryId, sessionId, notUsefulAt }: { memoryId: string; sessionId: string; notUsefulAt: Date | null },
): Promise<MemoryInjection | null> {
  return judgedInjection.first(db, [memoryId, sessionId, notUsefulAt]);
}

const expiredInjections = defineCommand({
  name: "delete-memory-injections-before",
  text: "DELETE FROM memory_injections WHERE given_at < $1",
});

/** Forgets what was given before a time. */
export async function deleteMemoryInjectionsBefore(db: Queryable, givenBefore: Date): Promise<void> {
  await expiredInjections.run(db, [givenBefore]);
}
