import { CitationState, column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";
import { LABEL, type MemoryLabel } from "./memory-changes.queries.ts";
import type { CheckCitations, ProjectCitation } from "./memory-citation.schema.ts";
import { IS_VALID } from "./memory.queries.ts";

/** A citation as it is stored with its memory. */
export interface NewCitation {
  readonly id: string;
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly quote: string | null;
  readonly commit: string | null;
}

const newCitations = defineCommand({
  name: "insert-memory-citations",
  text: `
    INSERT INTO memory_citations (memory_id, id, path, start_line, end_line, quote, commit)
    SELECT $1, id, path, "startLine", "endLine", quote, commit
    FROM jsonb_to_recordset($2) AS r (id uuid, path text, "startLine" int, "endLine" int, quote text, commit text)`,
});

export async function insertCitations(
  db: Queryable,
  memoryId: string,
  citations: readonly NewCitation[],
): Promise<void> {
  await newCitations.run(db, [memoryId, JSON.stringify(citations)]);
}

const citationsOfProject = defineQuery({
  name: "select-project-citations",
  row: {
    id: column.uuid,
    memoryId: column.uuid,
    path: column.text,
    startLine: column.integer.nullable,
    endLine: column.integer.nullable,
    quote: column.text.nullable,
    fingerprint: column.text.nullable,
    state: column.oneOf(CitationState),
  },
  text: `
    SELECT c.id, c.memory_id AS "memoryId", c.path, c.start_line AS "startLine", c.end_line AS "endLine", c.quote,
      c.fingerprint, c.state
    FROM memory_citations c JOIN memory_chunks m ON m.id = c.memory_id
    WHERE m.project_path = ANY($1::text[]) AND m.deleted_at IS NULL AND ${IS_VALID}
      AND c.state <> 'confirmed' AND (c.state <> 'unchecked' OR m.created_at >= $2)
    ORDER BY m.created_at DESC, c.id LIMIT $3`,
});

/**
 * What is to be checked in a project, by any of its names, newest memory first. Lines that nobody has found yet are looked for
 * in memories created since a time.
 */
export function selectProjectCitations(
  db: Queryable,
  names: readonly string[],
  { createdSince, limit }: { createdSince: Date; limit: number },
): Promise<ProjectCitation[]> {
  return citationsOfProject.all(db, [names, createdSince, limit]);
}

const citedMemories = defineQuery({
  name: "lock-cited-memories",
  row: { id: column.uuid },
  text: `
    SELECT id FROM memory_chunks WHERE id IN (SELECT memory_id FROM memory_citations WHERE id = ANY($1::uuid[]))
    ORDER BY id FOR NO KEY UPDATE`,
});

/** The memories of some citations, locked until the transaction ends. */
export async function lockCitedMemories(db: PoolClient, citationIds: readonly string[]): Promise<string[]> {
  return (await citedMemories.all(db, [citationIds])).map(({ id }) => id);
}

const checkedCitations = defineCommand({
  name: "update-checked-citations",
  text: `
    UPDATE memory_citations c SET state = CASE WHEN holds THEN 'holds' ELSE 'broken' END::citation_state, checked_at = $2,
      path = coalesce(r.path, c.path), start_line = coalesce("startLine", start_line),
      end_line = coalesce("endLine", "startLine", end_line), commit = coalesce(r.commit, c.commit),
      fingerprint = coalesce(r.fingerprint, c.fingerprint), quote = CASE WHEN r.fingerprint IS NULL THEN quote END
    FROM jsonb_to_recordset($1) AS r (id uuid, holds boolean, path text, "startLine" int, "endLine" int, fingerprint text,
      commit text)
    WHERE c.id = r.id AND c.state <> 'confirmed' AND (NOT holds OR coalesce(r.fingerprint, c.fingerprint) IS NOT NULL)`,
});

/** Records what was found. That lines hold is only recorded with a fingerprint, by which they will be found again. */
export async function updateCitations(db: PoolClient, checks: CheckCitations["checks"], now: Date): Promise<void> {
  await checkedCitations.run(db, [JSON.stringify(checks), now]);
}

const confirmedCitations = defineCommand({
  name: "confirm-citations",
  text: `
    UPDATE memory_citations SET state = CASE WHEN $2 THEN 'confirmed' ELSE 'broken' END::citation_state, checked_at = $3
    WHERE memory_id = $1 AND state = CASE WHEN $2 THEN 'broken' ELSE 'confirmed' END::citation_state`,
});

/** Has what was not found count no longer, or again. The memory has to be locked. */
export async function confirmCitations(
  db: PoolClient,
  memoryId: string,
  isConfirmed: boolean,
  now: Date,
): Promise<void> {
  await confirmedCitations.run(db, [memoryId, isConfirmed, now]);
}

const withheldMemories = defineQuery({
  name: "withhold-memories",
  row: LABEL,
  text: `
    UPDATE memory_chunks m SET withheld_at = CASE WHEN withheld_at IS NULL THEN $2::timestamptz END
    WHERE id = ANY($1::uuid[])
      AND (withheld_at IS NULL) = EXISTS (SELECT FROM memory_citations c WHERE c.memory_id = m.id AND c.state = 'broken')
    RETURNING m.id, m.content`,
});

/** Withholds locked memories with a broken citation, and gives the others again; returns those for which that is new. */
export function withholdMemories(db: PoolClient, ids: readonly string[], now: Date): Promise<MemoryLabel[]> {
  return withheldMemories.all(db, [ids, now]);
}
