import { ChunkType, column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";
import type { LeftOut, LeftOutMemory } from "./memory.schema.ts";
import { IS_VALID } from "./memory.queries.ts";

const extractedWindows = defineQuery({
  name: "select-extracted-windows",
  row: { windowHash: column.text },
  text: `SELECT window_hash AS "windowHash" FROM memory_extractions WHERE window_hash = ANY($1)`,
});

/** Those of the hashes whose windows memories were taken from already. */
export async function selectExtractedWindows(db: Queryable, hashes: readonly string[]): Promise<Set<string>> {
  return new Set((await extractedWindows.all(db, [hashes])).map(({ windowHash }) => windowHash));
}

export interface ExtractionRecord {
  readonly id: string;
  readonly windowHash: string;
  readonly sessionId: string | null;
  readonly projectPath: string | null;
  readonly createdAt: Date;
}

const newExtraction = defineCommand({
  name: "insert-extraction",
  text: `
    INSERT INTO memory_extractions (id, window_hash, session_id, project_path, created_at)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (window_hash) DO NOTHING`,
});

/** Claims a window for good. False where another process was faster, whose memories then count. */
export async function insertExtraction(db: PoolClient, extraction: ExtractionRecord): Promise<boolean> {
  const { id, windowHash, sessionId, projectPath, createdAt } = extraction;
  return (await newExtraction.run(db, [id, windowHash, sessionId, projectPath, createdAt])) === 1;
}

const newLeftOut = defineCommand({
  name: "set-left-out-memories",
  text: "UPDATE memory_extractions SET left_out = $2 WHERE id = $1",
});

/** Records what was left out because it had been forgotten. */
export async function setLeftOut(
  db: PoolClient,
  extractionId: string,
  leftOut: readonly LeftOutMemory[],
): Promise<void> {
  await newLeftOut.run(db, [extractionId, JSON.stringify(leftOut)]);
}

const sessionLeftOut = defineQuery({
  name: "select-left-out-of-session",
  row: {
    projectPath: column.text.nullable,
    chunkType: column.oneOf(ChunkType).neverNull,
    content: column.text.neverNull,
    sourceExcerpt: column.text.neverNull,
  },
  text: `
    SELECT e.project_path AS "projectPath", "chunkType", content, "sourceExcerpt"
    FROM memory_extractions e, jsonb_to_recordset(e.left_out) AS l("chunkType" chunk_type, content text, "sourceExcerpt" text)
    WHERE e.session_id = $1
      AND NOT EXISTS (
        SELECT FROM memory_chunks m WHERE m.session_id = e.session_id AND m.content = l.content AND m.deleted_at IS NULL)
    ORDER BY e.created_at, e.id LIMIT $2`,
});

/** What a session would have taught had it not been forgotten, except what was kept all the same. */
export function selectLeftOutOfSession(db: Queryable, sessionId: string, limit: number): Promise<LeftOut[]> {
  return sessionLeftOut.all(db, [sessionId, limit]);
}

const purgedLeftOut = defineCommand({
  name: "purge-left-out-memories",
  text: "UPDATE memory_extractions SET left_out = NULL WHERE left_out IS NOT NULL AND created_at < $1",
});

/** Removes what was left out before a time. */
export async function purgeLeftOut(db: Queryable, before: Date): Promise<void> {
  await purgedLeftOut.run(db, [before]);
}

const extractionLock = defineCommand({
  name: "lock-extracted-memories",
  text: "SELECT pg_advisory_xact_lock(hashtextextended('workspace:extracted-memories', 0))",
});

/** A memory as extraction shows it to the model. */
export interface KnownMemory {
  readonly id: string;
  readonly content: string;
}

const knownMemories = defineQuery({
  name: "select-known-memories",
  row: { id: column.uuid, content: column.text.neverNull },
  text: `
    SELECT m.id, left(m.content, $3) AS content FROM memory_chunks m
    WHERE m.project_path IS NOT DISTINCT FROM $1 AND m.deleted_at IS NULL AND ${IS_VALID}
    ORDER BY m.created_at DESC LIMIT $2`,
});

/** The newest memories of a project that none has replaced, or those of no project, each cut to a number of characters. */
export function selectKnownMemories(
  db: Queryable,
  projectPath: string | null,
  { limit, characters }: { limit: number; characters: number },
): Promise<KnownMemory[]> {
  return knownMemories.all(db, [projectPath, limit, characters]);
}

const forgottenContents = defineQuery({
  name: "select-forgotten-contents",
  row: { id: column.uuid, content: column.text.neverNull },
  text: `
    SELECT m.id, left(m.content, $3) AS content FROM memory_chunks m
    WHERE (m.project_path IS NOT DISTINCT FROM $1 OR m.project_path IS NULL) AND m.deleted_at IS NOT NULL
      AND m.merged_into_id IS NULL
    ORDER BY m.deleted_at DESC LIMIT $2`,
});

/** What a project, or all projects, have forgotten last, as far as it can still be restored; each cut to a number of characters. */
export function selectForgottenContents(
  db: Queryable,
  projectPath: string | null,
  { limit, characters }: { limit: number; characters: number },
): Promise<KnownMemory[]> {
  return forgottenContents.all(db, [projectPath, limit, characters]);
}

/** Makes extractions store their memories one after the other, so that none misses what another is just storing. */
export async function lockExtractedMemories(db: PoolClient): Promise<void> {
  await extractionLock.run(db);
}

export interface DuplicateCheck {
  readonly contentKey: string;
  readonly projectPath: string | null;
  readonly sessionId: string | null;
  readonly chunkType: ChunkType;
  readonly sourceExcerpt: string;
  /** Whether it replaces another one, as when something is again as it was before. */
  readonly isReplacing: boolean;
}

const knownMemory = defineCommand({
  name: "is-known-memory",
  text: `
    SELECT FROM memory_chunks
    WHERE (content_key = $1 AND project_path IS NOT DISTINCT FROM $2 AND NOT ($6 AND superseded_by_id IS NOT NULL))
       OR (session_id = $3 AND chunk_type = $4 AND source_excerpt = $5) LIMIT 1`,
});

/**
 * Whether the project has a memory that says the same, or the session one of that type from the same passage. Deleted ones
 * count too while they are kept, so that what was forgotten does not come back with the next extraction.
 */
export async function isKnownMemory(db: Queryable, check: DuplicateCheck): Promise<boolean> {
  const { contentKey, projectPath, sessionId, chunkType, sourceExcerpt, isReplacing } = check;
  return (await knownMemory.run(db, [contentKey, projectPath, sessionId, chunkType, sourceExcerpt, isReplacing])) === 1;
}
