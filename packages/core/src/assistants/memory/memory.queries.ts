import { ChunkType, column, defineComposedQuery, defineQuery, type Bind, type Queryable } from "@workspace/db";
import { toPrefixPattern, toSearchPattern } from "../../platform/fold-text.ts";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { MemoryCitation } from "./citation.schema.ts";
import type { RankedMemory } from "./memory-ranking.ts";
import type { ListMemory, MemoryChunk } from "./memory.schema.ts";
import { listWords } from "./list-words.ts";
import { folderPrefix, type ProjectScope } from "./project-path.ts";
import { vectorParameters } from "../../platform/search/search-vector.queries.ts";
import type { SearchVector } from "../../platform/search/search-vector.ts";
import { MEMORY_SEARCH_VECTORS } from "./memory-vector.queries.ts";

/** SQL of the id of the memory that replaced the memory `m`; null where that was forgotten. */
const SUPERSEDER = `(SELECT s.id FROM memory_chunks s WHERE s.id = m.superseded_by_id AND s.deleted_at IS NULL)`;

/** SQL of whether no memory has replaced the memory `m`. Not EXISTS, which may read all memories. */
export const IS_VALID = `(m.superseded_by_id IS NULL OR ${SUPERSEDER} IS NULL)`;

/** SQL of whether the memory `m` may be given to sessions. */
export const IS_GIVEN = `m.withheld_at IS NULL AND ${IS_VALID}`;

const CITATIONS = `
  (SELECT coalesce(json_agg(json_build_object('path', c.path, 'startLine', c.start_line, 'endLine', c.end_line,
     'commit', c.commit, 'state', c.state,
     'checkedAt', to_char(c.checked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY c.id), '[]')
   FROM memory_citations c WHERE c.memory_id = m.id)`;

export const MEMORY = {
  id: column.uuid,
  sessionId: column.text.nullable,
  projectPath: column.text.nullable,
  chunkType: column.oneOf(ChunkType),
  content: column.text,
  sourceExcerpt: column.text.nullable,
  sourceTurn: column.integer.nullable,
  relevanceScore: column.float,
  accessCount: column.integer.neverNull,
  lastAccessedAt: column.timestamp.nullable,
  nearDuplicateOfId: column.uuid.nullable,
  awaitsReview: column.boolean,
  supersededById: column.uuid.nullable,
  supersededAt: column.timestamp.nullable,
  citations: column.json.as<MemoryCitation[]>().neverNull,
  withheldAt: column.timestamp.nullable,
  deletedAt: column.timestamp.nullable,
  createdAt: column.timestamp,
};

/** SQL of the columns of memories `m`, given that of how often and when they were last found in a search. */
export function memoryColumns(accessCount: string, lastAccessedAt: string): string {
  return `
  m.id, m.session_id AS "sessionId", m.project_path AS "projectPath", m.chunk_type AS "chunkType", m.content,
  m.source_excerpt AS "sourceExcerpt", m.source_turn AS "sourceTurn", m.relevance_score AS "relevanceScore",
  ${accessCount} AS "accessCount", ${lastAccessedAt} AS "lastAccessedAt",
  m.near_duplicate_of_id AS "nearDuplicateOfId", m.awaits_review AS "awaitsReview",
  ${SUPERSEDER} AS "supersededById", CASE WHEN ${SUPERSEDER} IS NOT NULL THEN m.superseded_at END AS "supersededAt",
  ${CITATIONS} AS citations, m.withheld_at AS "withheldAt", m.deleted_at AS "deletedAt",
  m.created_at AS "createdAt"`;
}

const ACCESS_COUNT = "coalesce((SELECT access_count FROM memory_accesses WHERE memory_id = m.id), 0)";

export const COLUMNS = memoryColumns(
  ACCESS_COUNT,
  "(SELECT last_accessed_at FROM memory_accesses WHERE memory_id = m.id)",
);

/** What is written when a memory is made. */
export interface NewMemory {
  readonly id: string;
  readonly sessionId: string | null;
  readonly projectPath: string | null;
  readonly chunkType: MemoryChunk["chunkType"];
  readonly content: string;
  readonly sourceExcerpt: string | null;
  readonly sourceTurn: number | null;
  readonly relevanceScore: number;
  readonly contentKey: string;
  readonly nearDuplicateOfId: string | null;
  readonly extractionId: string | null;
  readonly awaitsReview: boolean;
  readonly createdAt: Date;
  readonly searchText: string;
  readonly searchVector: SearchVector;
  readonly similarityKeys: readonly number[];
}

const newMemory = defineQuery({
  name: "insert-memory",
  isPrepared: true,
  row: MEMORY,
  text: `
    WITH ${MEMORY_SEARCH_VECTORS},
    own_keys AS (INSERT INTO memory_similarity_keys (key, memory_id) SELECT unnest($9::int[]), $8::uuid),
    own_vector AS (
      INSERT INTO memory_search_vectors (memory_id, dictionary, vector) SELECT $8::uuid, dictionary, vector FROM search_vectors
    )
    INSERT INTO memory_chunks AS m (id, session_id, project_path, chunk_type, content, source_excerpt, relevance_score,
      content_key, near_duplicate_of_id, extraction_id, created_at, search_text, source_turn,
      awaits_review)
    VALUES ($8, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) RETURNING ${COLUMNS}`,
});

/** Stores a memory together with that by which it is searched, and by which those that look like it are found. */
export function insertMemory(db: Queryable, memory: NewMemory): Promise<MemoryChunk> {
  return newMemory.one(db, [
    ...vectorParameters([memory.searchVector]),
    memory.id,
    memory.similarityKeys,
    memory.sessionId,
    memory.projectPath,
    memory.chunkType,
    memory.content,
    memory.sourceExcerpt,
    memory.relevanceScore,
    memory.contentKey,
    memory.nearDuplicateOfId,
    memory.extractionId,
    memory.createdAt,
    memory.searchText,
    memory.sourceTurn,
    memory.awaitsReview,
  ]);
}

const activeMemory = defineQuery({
  name: "select-memory",
  row: MEMORY,
  text: `SELECT ${COLUMNS} FROM memory_chunks m WHERE m.id = $1 AND m.deleted_at IS NULL`,
});

/** An active memory; null where there is none. */
export function selectMemory(db: Queryable, id: string): Promise<MemoryChunk | null> {
  return activeMemory.first(db, [id]);
}

const memoriesOfSession = defineQuery({
  name: "select-session-memories",
  row: MEMORY,
  text: `
    SELECT ${COLUMNS} FROM memory_chunks m WHERE m.session_id = $1 AND m.deleted_at IS NULL
    ORDER BY m.created_at, m.id LIMIT $2`,
});

export function selectSessionMemories(db: Queryable, sessionId: string, limit: number): Promise<MemoryChunk[]> {
  return memoriesOfSession.all(db, [sessionId, limit]);
}

const extractionOfMemory = defineQuery({
  name: "select-extracted-at",
  row: { createdAt: column.timestamp },
  text: `
    SELECT e.created_at AS "createdAt" FROM memory_chunks m JOIN memory_extractions e ON e.id = m.extraction_id
    WHERE m.id = $1`,
});

/** When the transcript was read that a memory was taken from; null where it came in another way. */
export async function selectExtractedAt(db: Queryable, memoryId: string): Promise<string | null> {
  return (await extractionOfMemory.first(db, [memoryId]))?.createdAt ?? null;
}

interface MemoryFilter extends Omit<ListMemory, "limit" | "cursor" | "projectPath"> {
  /** The names of a project. */
  readonly projects?: readonly string[] | undefined;
}

const memoriesByAge = defineComposedQuery({
  name: "select-memories",
  row: MEMORY,
  compose: (list: MemoryFilter & PageRange<TimeAndId>, bind) => {
    const { deleted, projects, sessionId, chunkType, minRelevance, nearDuplicates, awaitsReview, after, limit } = list;
    const conditions = [`m.deleted_at IS ${deleted ? "NOT NULL" : "NULL"}`];
    for (const word of list.query === undefined ? [] : listWords(list.query))
      conditions.push(`m.search_text LIKE ${bind(toSearchPattern(word))}`);
    if (projects !== undefined) conditions.push(`m.project_path = ANY(${bind(projects)}::text[])`);
    if (sessionId !== undefined) conditions.push(`m.session_id = ${bind(sessionId)}`);
    if (chunkType !== undefined) conditions.push(`m.chunk_type = ANY(${bind(chunkType)}::chunk_type[])`);
    if (minRelevance !== undefined) conditions.push(`m.relevance_score >= ${bind(minRelevance)}`);
    if (nearDuplicates !== undefined) {
      const repeats = `EXISTS (SELECT FROM memory_chunks o WHERE o.id = m.near_duplicate_of_id AND o.deleted_at IS NULL)`;
      conditions.push(nearDuplicates ? repeats : `NOT ${repeats}`);
    }
    if (awaitsReview !== undefined) conditions.push(awaitsReview ? "m.awaits_review" : "NOT m.awaits_review");
    if (after !== undefined) {
      conditions.push(`(m.created_at, m.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
    }
    return `
      SELECT ${COLUMNS} FROM memory_chunks m WHERE ${conditions.join(" AND ")}
      ORDER BY m.created_at DESC, m.id DESC LIMIT ${bind(limit)}`;
  },
  examples: [
    {
      deleted: false,
      query: "two words",
      projects: [""],
      sessionId: "",
      chunkType: ["fact"],
      minRelevance: 0,
      nearDuplicates: true,
      awaitsReview: true,
      after: ["", ""],
      limit: 1,
    },
    { deleted: true, nearDuplicates: false, awaitsReview: false, after: undefined, limit: 1 },
  ],
});

/** Memories that match every filter, newest first, at most `limit`, after a position. */
export function selectMemories(
  db: Queryable,
  filter: MemoryFilter,
  range: PageRange<TimeAndId>,
): Promise<MemoryChunk[]> {
  return memoriesByAge.all(db, { ...filter, ...range });
}

const contextCandidates = defineComposedQuery({
  name: "select-context-candidates",
  row: {
    id: column.uuid.neverNull,
    chunkType: column.oneOf(ChunkType).neverNull,
    relevanceScore: column.float.neverNull,
    accessCount: column.integer.neverNull,
    createdAt: column.timestamp.neverNull,
    nearDuplicateOfId: column.uuid.nullable,
    distance: column.integer.neverNull,
  },
  compose: ({ scope, limit }: { scope: ProjectScope | null; limit: number }, bind) => {
    const limitPlaceholder = bind(limit);
    const newest = (condition: string, distance: number): string => `
      (SELECT id, chunk_type AS "chunkType", relevance_score AS "relevanceScore", ${ACCESS_COUNT} AS "accessCount",
         created_at AS "createdAt", near_duplicate_of_id AS "nearDuplicateOfId", ${distance} AS distance
       FROM memory_chunks m WHERE deleted_at IS NULL AND ${IS_GIVEN} AND ${condition}
       ORDER BY created_at DESC, id DESC LIMIT ${limitPlaceholder})`;
    return distanceConditions(scope, bind).map(newest).join(" UNION ALL ");
  },
  examples: [
    { scope: { own: ["/a"], above: ["/"] }, limit: 1 },
    { scope: null, limit: 1 },
  ],
});

/**
 * What ranking needs of the memories that a project's context may take: of its own, of those above it and of those of no
 * project the newest `limit` each, so that none of them crowds out another. Without a scope, the newest of all.
 */
export function selectContextCandidates(
  db: Queryable,
  scope: ProjectScope | null,
  limit: number,
): Promise<Omit<RankedMemory, "usefulness">[]> {
  return contextCandidates.all(db, { scope, limit });
}

/** By distance from the project; a memory meets at most one of them. */
function distanceConditions(scope: ProjectScope | null, bind: Bind): string[] {
  if (scope === null) return ["true"];
  const below = scope.own.map((name) => `project_path LIKE ${bind(toPrefixPattern(folderPrefix(name)))}`);
  const own = [`project_path = ANY(${bind(scope.own)}::text[])`, ...below].join(" OR ");
  return [`(${own})`, `project_path = ANY(${bind(scope.above)}::text[]) AND NOT (${own})`, "project_path IS NULL"];
}

const memoriesById = defineQuery({
  name: "select-memories-by-id",
  row: MEMORY,
  isPrepared: true,
  text: `SELECT ${COLUMNS} FROM memory_chunks m WHERE m.id = ANY($1::uuid[]) ORDER BY array_position($1::uuid[], m.id)`,
});

/** In the order of the ids. */
export function selectMemoriesById(db: Queryable, ids: readonly string[]): Promise<MemoryChunk[]> {
  return memoriesById.all(db, [ids]);
}
