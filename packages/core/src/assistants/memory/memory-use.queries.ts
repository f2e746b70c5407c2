import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";
import { quotedLexeme } from "../../platform/search/search-vector.queries.ts";

/** A word that more memories have is common in the project, and says nothing about one of them. */
const MAX_MEMORIES_OF_MARK = 5;
const MAX_WATCHED = 500;

const unusedInjections = defineQuery({
  name: "select-unused-injections",
  row: {
    memoryId: column.uuid,
    content: column.text,
    projectPath: column.text.nullable,
    subject: column.text.nullable,
    givenAt: column.timestamp,
  },
  text: `
    SELECT i.memory_id AS "memoryId", m.content, m.project_path AS "projectPath", i.subject, i.given_at AS "givenAt"
    FROM memory_injections i JOIN memory_chunks m ON m.id = i.memory_id
    WHERE i.session_id = $1 AND i.used_at IS NULL
    ORDER BY i.given_at DESC, i.memory_id LIMIT ${MAX_WATCHED}`,
});

/** The memories that a session was given and is not known to have used, the latest first. */
export function selectUnusedInjections(db: Queryable, sessionId: string) {
  return unusedInjections.all(db, [sessionId]);
}

const rareMarks = defineQuery({
  name: "select-rare-marks",
  row: { mark: column.text.neverNull },
  text: `
    SELECT mark FROM unnest($1::text[]) AS marks (mark), LATERAL (
      SELECT count(*) AS memories FROM (
        SELECT FROM memory_search_vectors WHERE vector @@ (${quotedLexeme("mark")})::tsquery
        LIMIT ${MAX_MEMORIES_OF_MARK + 1}
      ) AS found
    ) AS counted
    WHERE memories <= ${MAX_MEMORIES_OF_MARK}`,
});

/** Those of the words that only a few memories have. */
export async function selectRareMarks(db: Queryable, marks: readonly string[]): Promise<Set<string>> {
  return new Set((await rareMarks.all(db, [marks])).map(({ mark }) => mark));
}

const recordedUse = defineCommand({
  name: "record-memory-use",
  text: `
    WITH locked AS (
      SELECT session_id, memory_id FROM memory_injections
      WHERE session_id = $1 AND memory_id = ANY($2::uuid[]) ORDER BY memory_id FOR NO KEY UPDATE
    )
    UPDATE memory_injections i SET
      checked_until = greatest(checked_until, $5),
      is_use_visible = i.memory_id = ANY($3::uuid[]),
      used_at = CASE WHEN i.memory_id = ANY($4::uuid[]) THEN coalesce(used_at, $5) ELSE used_at END
    FROM locked WHERE i.session_id = locked.session_id AND i.memory_id = locked.memory_id`,
});

/** What was found out about memories that a session was given. */
export interface ObservedUse {
  readonly sessionId: string;
  readonly memoryIds: readonly string[];
  /** Those whose use would have been noticed. */
  readonly visibleIds: readonly string[];
  readonly usedIds: readonly string[];
  /** Up to when the session was read. */
  readonly until: string | Date;
}

/** What was found to be used before stays so. */
export async function recordMemoryUse(db: Queryable, use: ObservedUse): Promise<void> {
  await recordedUse.run(db, [use.sessionId, use.memoryIds, use.visibleIds, use.usedIds, use.until]);
}
