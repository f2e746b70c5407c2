import { ChunkType, column, defineComposedQuery, defineQuery, type Queryable } from "@workspace/db";
import { IS_GIVEN } from "../memory/memory.queries.ts";
import type { WhyMemory } from "./file-history.schema.ts";
import type { LineTouch } from "./session-ranking.ts";

const MAX_TOUCHES = 300;
/** A line that occurs more often in its project says nothing about where it comes from. */
const MAX_OCCURRENCES = 40;
const MAX_SESSION_EVENTS = 5000;
const MAX_MEMORIES = 5;
const MAX_CITING_MEMORIES = 10;

const TOUCH = {
  sessionId: column.text,
  touchedAt: column.timestamp,
  isWhole: column.boolean,
  isElsewhere: column.boolean.neverNull,
  keys: column.integers.neverNull,
};

/** A file in a project; in any project, if that is unknown. */
export interface FileName {
  readonly path: string;
  readonly project: string | undefined;
}

const touchesOfFile = defineComposedQuery({
  name: "select-touches-of-file",
  row: TOUCH,
  compose: ({ path, project, keys }: { path: string; project?: string | undefined; keys: readonly number[] }, bind) => `
    SELECT session_id AS "sessionId", created_at AS "touchedAt", is_whole AS "isWhole", false AS "isElsewhere",
           ARRAY(SELECT key FROM unnest(written_keys) AS key WHERE key = ANY(${bind(keys)}::int[])) AS keys
    FROM file_touches WHERE path = ${bind(path)}${project === undefined ? "" : ` AND project = ${bind(project)}`}
    ORDER BY created_at DESC LIMIT ${MAX_TOUCHES}`,
  examples: [
    { path: "", project: "", keys: [] },
    { path: "", keys: [] },
  ],
});

/** The last 300 changes of a file, latest first, each with which of some lines it wrote. */
export function selectTouchesOfFile(
  db: Queryable,
  { path, project }: FileName,
  keys: readonly number[],
): Promise<LineTouch[]> {
  return touchesOfFile.all(db, { path, project, keys });
}

const knownRoots = defineQuery({
  name: "select-known-roots",
  row: { folder: column.text, project: column.text, hasChanges: column.boolean.neverNull },
  text: `
    SELECT folder, project, EXISTS (SELECT FROM file_touches t WHERE t.root = folder) AS "hasChanges"
    FROM project_folders WHERE folder = ANY($1::text[]) ORDER BY length(folder) DESC`,
});

/**
 * The root that the names of files begin at in the innermost of some folders in which sessions worked: the folder nearest to it in
 * which the same project has changes. Without any, the outermost, as sessions may work in folders of a repository.
 */
export async function findRootFolder(
  db: Queryable,
  folders: readonly string[],
): Promise<{ folder: string; project: string } | undefined> {
  const known = await knownRoots.all(db, [folders]);
  const ofProject = known.filter(({ project }) => project === known[0]?.project);
  return ofProject.find(({ hasChanges }) => hasChanges) ?? ofProject.at(-1);
}

/** SQL of the number by which the index knows a project. */
function hashOf(project: string): string {
  return `('x' || left(md5(${project}), 8))::bit(32)::int`;
}

/**
 * The index has the hash of the project among the keys, so that lines which other projects have as well are found at once.
 * The limit is a subquery because the planner assumes a tenth of the rows then; it would read the whole table to find the first 40
 * otherwise.
 */
const touchesOfLines = defineQuery({
  name: "select-touches-of-lines",
  row: TOUCH,
  text: `
    WITH found AS MATERIALIZED (
      SELECT key, touch.*, count(*) OVER (PARTITION BY key) AS occurrences FROM unnest($1::int[]) AS key,
        LATERAL (
          SELECT * FROM file_touches
          WHERE array_append(written_keys, ${hashOf("project")}) @> array_remove(ARRAY[key, ${hashOf("$3::text")}], NULL)
            AND ($3 IS NULL OR project = $3)
          LIMIT (SELECT ${MAX_OCCURRENCES} + 1)) AS touch
    )
    SELECT session_id AS "sessionId", created_at AS "touchedAt", is_whole AS "isWhole",
           path <> $2 AS "isElsewhere", array_agg(key) AS keys
    FROM found
    WHERE occurrences <= ${MAX_OCCURRENCES}
    GROUP BY event_id, path, session_id, created_at, is_whole`,
});

/** Who wrote lines in any file of the project, except lines that occur too often; the file itself is not elsewhere. */
export function selectTouchesOfLines(
  db: Queryable,
  { path, project }: FileName,
  keys: readonly number[],
): Promise<LineTouch[]> {
  return touchesOfLines.all(db, [keys, path, project ?? null]);
}

const MOMENT = {
  sessionId: column.text.neverNull,
  prompt: column.text.nullable,
  askedAt: column.timestamp.nullable,
  turn: column.integer.nullable,
};

const moments = defineQuery({
  name: "select-session-moments",
  row: MOMENT,
  text: `
    SELECT s.id AS "sessionId", prompt, "askedAt", turn
    FROM unnest($1::text[], $2::timestamptz[]) AS s (id, moment)
    LEFT JOIN LATERAL (
      SELECT event_data ->> 'prompt' AS prompt, created_at AS "askedAt" FROM (
        SELECT event_type, event_data, created_at FROM hook_events WHERE session_id = s.id AND created_at <= moment
        ORDER BY created_at DESC LIMIT ${MAX_SESSION_EVENTS}) AS events
      WHERE event_type = 'UserPromptSubmit' AND event_data ->> 'prompt' <> ''
        AND NOT starts_with(event_data ->> 'prompt', '<task-notification>')
      ORDER BY created_at DESC LIMIT 1) AS asked ON true
    LEFT JOIN LATERAL (
      SELECT position AS turn FROM (
        SELECT position, occurred_at FROM session_turn_vectors WHERE session_id = s.id
        ORDER BY position DESC LIMIT ${MAX_SESSION_EVENTS}) AS turns
      WHERE occurred_at <= moment ORDER BY position DESC LIMIT 1) AS latest ON true`,
});

/** What had been asked last at a moment of a session, and the turn of its transcript. */
export interface SessionMoment {
  readonly prompt: string | null;
  readonly askedAt: string | null;
  readonly turn: number | null;
}

export async function selectSessionMoments(
  db: Queryable,
  sessions: readonly { readonly sessionId: string; readonly touchedAt: string }[],
): Promise<Map<string, SessionMoment>> {
  const ids = sessions.map(({ sessionId }) => sessionId);
  const rows = await moments.all(db, [ids, sessions.map(({ touchedAt }) => touchedAt)]);
  return new Map(rows.map((row) => [row.sessionId, row]));
}

const CITES = "EXISTS (SELECT FROM memory_citations c WHERE c.memory_id = m.id AND c.path = $2)";

const whyMemories = defineQuery({
  name: "select-why-memories",
  row: {
    id: column.uuid,
    sessionId: column.text.nullable,
    chunkType: column.oneOf(ChunkType),
    sourceTurn: column.integer.nullable,
    createdAt: column.timestamp,
    content: column.text.neverNull,
    citesFile: column.boolean.neverNull,
  },
  text: `
    WITH found AS (
      SELECT learnt.id FROM unnest($1::text[]) AS session, LATERAL (
        SELECT m.id FROM memory_chunks m WHERE m.session_id = session AND m.deleted_at IS NULL AND ${IS_GIVEN}
        ORDER BY ${CITES} DESC, m.created_at DESC LIMIT ${MAX_MEMORIES}) AS learnt
      UNION (
        SELECT m.id FROM memory_chunks m
        WHERE m.id IN (SELECT memory_id FROM memory_citations WHERE path = $2) AND m.deleted_at IS NULL AND ${IS_GIVEN}
          AND (m.project_path IS NULL OR m.project_path = ANY($3::text[]) OR cardinality($3::text[]) = 0)
        ORDER BY m.created_at DESC LIMIT ${MAX_CITING_MEMORIES})
    )
    SELECT m.id, m.session_id AS "sessionId", m.chunk_type AS "chunkType", m.source_turn AS "sourceTurn",
           m.created_at AS "createdAt", left(m.content, 1000) AS content, ${CITES} AS "citesFile"
    FROM memory_chunks m WHERE m.id IN (SELECT id FROM found)
    ORDER BY "citesFile" DESC, m.created_at DESC, m.id`,
});

/** What was learnt in sessions, and what rests on a file in a project that has some names; in any project without names. */
export function selectWhyMemories(
  db: Queryable,
  sessionIds: readonly string[],
  path: string,
  projectNames: readonly string[],
): Promise<WhyMemory[]> {
  return whyMemories.all(db, [sessionIds, path, projectNames]);
}
