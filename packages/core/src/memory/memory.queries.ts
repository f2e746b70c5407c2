import type { Pool, PoolClient } from "@workspace/db";
import { toPrefixPattern, toSearchPattern } from "../platform/fold-text.ts";
import type { RankedMemory } from "./memory-ranking.ts";
import type { ListMemory, MemoryChunk, SearchMemory } from "./memory.schema.ts";
import { folderPrefix, type ProjectScope } from "./project-path.ts";
import { parseSearchQuery } from "./search-query.ts";

export type Queryable = Pool | PoolClient;

export const COLUMNS = `
  m.id, m.session_id AS "sessionId", m.project_path AS "projectPath", m.chunk_type AS "chunkType", m.content,
  m.source_excerpt AS "sourceExcerpt", m.relevance_score AS "relevanceScore", m.access_count AS "accessCount",
  m.last_accessed_at AS "lastAccessedAt", m.near_duplicate_of_id AS "nearDuplicateOfId", m.created_at AS "createdAt"`;

/** What is written when a memory is made. */
export interface NewMemory {
  readonly id: string;
  readonly sessionId: string | null;
  readonly projectPath: string | null;
  readonly chunkType: MemoryChunk["chunkType"];
  readonly content: string;
  readonly sourceExcerpt: string | null;
  readonly relevanceScore: number;
  readonly contentKey: string;
  readonly nearDuplicateOfId: string | null;
  readonly extractionId: string | null;
  readonly createdAt: Date;
  readonly searchText: string;
  readonly similarityKeys: readonly number[];
}

/** Stores a memory together with the keys by which those that look like it are found. */
export async function insertMemory(db: Queryable, memory: NewMemory): Promise<MemoryChunk> {
  const { rows } = await db.query<MemoryChunk>(
    `WITH own_keys AS (INSERT INTO memory_similarity_keys (key, memory_id) SELECT unnest($13::int[]), $1::uuid)
     INSERT INTO memory_chunks AS m (id, session_id, project_path, chunk_type, content, source_excerpt, relevance_score,
       content_key, near_duplicate_of_id, extraction_id, created_at, search_text)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING ${COLUMNS}`,
    [
      memory.id,
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
      memory.similarityKeys,
    ],
  );
  const [stored] = rows;
  if (stored === undefined) throw new Error("INSERT … RETURNING gave no row.");
  return stored;
}

/** An active memory; null where there is none. */
export async function selectMemory(db: Queryable, id: string): Promise<MemoryChunk | null> {
  const { rows } = await db.query<MemoryChunk>(
    `SELECT ${COLUMNS} FROM memory_chunks m WHERE m.id = $1 AND m.deleted_at IS NULL`,
    [id],
  );
  return rows[0] ?? null;
}

export async function selectSessionMemories(db: Queryable, sessionId: string, limit: number): Promise<MemoryChunk[]> {
  const { rows } = await db.query<MemoryChunk>(
    `SELECT ${COLUMNS} FROM memory_chunks m WHERE m.session_id = $1 AND m.deleted_at IS NULL
     ORDER BY m.created_at, m.id LIMIT $2`,
    [sessionId, limit],
  );
  return rows;
}

/** When the transcript was read that a memory was taken from; null where it came in another way. */
export async function selectExtractedAt(db: Queryable, memoryId: string): Promise<string | null> {
  const { rows } = await db.query<{ createdAt: string }>(
    `SELECT e.created_at AS "createdAt" FROM memory_chunks m JOIN memory_extractions e ON e.id = m.extraction_id
     WHERE m.id = $1`,
    [memoryId],
  );
  return rows[0]?.createdAt ?? null;
}

export interface MemoryListPosition {
  readonly createdAt: string;
  readonly id: string;
}

type Bind = (value: unknown) => string;

/** Memories that match every filter, newest first, at most `limit`, after a position. */
export async function selectMemories(
  db: Queryable,
  filter: Omit<ListMemory, "limit" | "cursor">,
  page: { limit: number; after: MemoryListPosition | undefined },
): Promise<MemoryChunk[]> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const conditions = [`m.deleted_at IS ${filter.deleted ? "NOT NULL" : "NULL"}`];
  const query = filter.query === undefined ? null : parseSearchQuery(filter.query);
  for (const word of query?.words ?? []) conditions.push(`m.search_text LIKE ${bind(toSearchPattern(word))}`);
  if (filter.projectPath !== undefined) conditions.push(`m.project_path = ${bind(filter.projectPath)}`);
  if (filter.sessionId !== undefined) conditions.push(`m.session_id = ${bind(filter.sessionId)}`);
  if (filter.chunkType !== undefined) conditions.push(`m.chunk_type = ANY(${bind(filter.chunkType)}::chunk_type[])`);
  if (filter.minRelevance !== undefined) conditions.push(`m.relevance_score >= ${bind(filter.minRelevance)}`);
  if (filter.nearDuplicates !== undefined) {
    const repeats = `EXISTS (SELECT FROM memory_chunks o WHERE o.id = m.near_duplicate_of_id AND o.deleted_at IS NULL)`;
    conditions.push(filter.nearDuplicates ? repeats : `NOT ${repeats}`);
  }
  if (page.after !== undefined) {
    conditions.push(
      `(m.created_at, m.id) < (${bind(page.after.createdAt)}::timestamptz, ${bind(page.after.id)}::uuid)`,
    );
  }
  const { rows } = await db.query<MemoryChunk>(
    `SELECT ${COLUMNS} FROM memory_chunks m WHERE ${conditions.join(" AND ")}
     ORDER BY m.created_at DESC, m.id DESC LIMIT ${bind(page.limit)}`,
    values,
  );
  return rows;
}

/**
 * What ranking needs of the memories that a project's context may take: of its own, of those above it and of those of no
 * project the newest `limit` each, so that none of them crowds out another. Without a scope, the newest of all.
 */
export async function selectContextCandidates(
  db: Queryable,
  scope: ProjectScope | null,
  limit: number,
): Promise<RankedMemory[]> {
  const values: unknown[] = [limit];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const newest = (distance: number, condition: string): string =>
    `(SELECT id, chunk_type AS "chunkType", relevance_score AS "relevanceScore", access_count AS "accessCount",
        created_at AS "createdAt", near_duplicate_of_id AS "nearDuplicateOfId", ${distance} AS distance
      FROM memory_chunks WHERE deleted_at IS NULL AND ${condition} ORDER BY created_at DESC, id DESC LIMIT $1)`;
  const { rows } = await db.query<RankedMemory>(
    distanceConditions(scope, bind)
      .map((condition, distance) => newest(distance, condition))
      .join(" UNION ALL "),
    values,
  );
  return rows;
}

/** By distance from the project; a memory meets at most one of them. */
function distanceConditions(scope: ProjectScope | null, bind: Bind): string[] {
  if (scope === null) return ["true"];
  const below = scope.own.map((name) => `project_path LIKE ${bind(toPrefixPattern(folderPrefix(name)))}`);
  const own = [`project_path = ANY(${bind(scope.own)}::text[])`, ...below].join(" OR ");
  return [`(${own})`, `project_path = ANY(${bind(scope.above)}::text[]) AND NOT (${own})`, "project_path IS NULL"];
}

/** In the order of the ids. */
export async function selectMemoriesById(db: Queryable, ids: readonly string[]): Promise<MemoryChunk[]> {
  const { rows } = await db.query<MemoryChunk>({
    name: "select-memories-by-id",
    text: `SELECT ${COLUMNS} FROM memory_chunks m WHERE m.id = ANY($1::uuid[]) ORDER BY array_position($1::uuid[], m.id)`,
    values: [ids],
  });
  return rows;
}

/** Of common words only so many memories are weighed, those with the most of them. */
const MAX_WEIGHED = 2000;
/** How much a word counts that stands in the excerpt only, and how much more a memory does that has the whole query. */
const EXCERPT_WEIGHT = 0.6;
const PHRASE_BONUS = 0.25;
const SIMILARITY_WEIGHT = 0.5;

/**
 * Finds memories and counts the look-up in each that is answered, in one statement. With a query the best match comes first:
 * a word counts the more the fewer memories have it, then similarity by trigrams counts; else relevance, then age decide.
 * Rows are locked in the order of their ids, so that searches at the same time wait for each other and never in a circle.
 */
export async function searchMemories(db: Queryable, search: SearchMemory, now: Date): Promise<MemoryChunk[]> {
  const values: unknown[] = [now, search.limit];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { rows } = await db.query<MemoryChunk>(
    `WITH ${rankedMemories(search, bind)},
     locked AS (
       SELECT id FROM memory_chunks WHERE id IN (SELECT id FROM ranked) ORDER BY id FOR NO KEY UPDATE
     ),
     m AS (
       UPDATE memory_chunks SET access_count = access_count + 1, last_accessed_at = $1
       FROM locked WHERE memory_chunks.id = locked.id RETURNING memory_chunks.*
     )
     SELECT ${COLUMNS} FROM m JOIN ranked USING (id) ORDER BY ranked.place`,
    values,
  );
  return rows;
}

/** SQL of common table expressions, the last of which, `ranked`, has the `id` and `place` of what is found. */
function rankedMemories(search: SearchMemory, bind: Bind): string {
  const conditions = ["deleted_at IS NULL"];
  if (search.projectPath !== undefined) conditions.push(`project_path = ${bind(search.projectPath)}`);
  if (search.chunkType !== undefined) conditions.push(`chunk_type = ${bind(search.chunkType)}`);
  if (search.minRelevance !== undefined) conditions.push(`relevance_score >= ${bind(search.minRelevance)}`);
  const query = search.query === undefined ? null : parseSearchQuery(search.query);
  if (query === null) {
    return `ranked AS (
      SELECT id, row_number() OVER (ORDER BY relevance_score DESC, created_at DESC, id DESC) AS place
      FROM memory_chunks WHERE ${conditions.join(" AND ")}
      ORDER BY relevance_score DESC, created_at DESC, id DESC LIMIT $2
    )`;
  }
  const hits = query.words.map((word) => `search_text LIKE ${bind(toSearchPattern(word))}`);
  conditions.push(`(${hits.join(" OR ")})`);
  const phrase = bind(query.phrase);
  const words = bind(query.words);
  return `
    candidates AS MATERIALIZED (
      SELECT id, search_text, split_part(search_text, E'\\x1f', 1) AS content_text, relevance_score, created_at
      FROM memory_chunks WHERE ${conditions.join(" AND ")}
      ORDER BY ${hits.map((hit) => `(${hit})::int`).join(" + ")} DESC, relevance_score DESC LIMIT ${MAX_WEIGHED}
    ),
    matches AS (
      SELECT id, word, CASE WHEN strpos(content_text, word) > 0 THEN 1 ELSE ${EXCERPT_WEIGHT} END AS weight
      FROM candidates, unnest(${words}::text[]) AS word WHERE strpos(search_text, word) > 0
    ),
    rarities AS (
      SELECT word, ln(1 + (SELECT count(*) FROM candidates)::float / count(*)) AS rarity FROM matches GROUP BY word
    ),
    coverages AS (
      SELECT id, sum(weight * rarity) / (SELECT sum(rarity) FROM rarities) AS coverage,
             count(*) >= ${query.minMatches} AS has_enough
      FROM matches JOIN rarities USING (word) GROUP BY id
    ),
    scores AS (
      SELECT id, relevance_score, created_at, round((
          coverage + CASE WHEN strpos(search_text, ${phrase}) > 0 THEN ${PHRASE_BONUS} ELSE 0 END
          + ${SIMILARITY_WEIGHT} * strict_word_similarity(${phrase}, content_text)
        )::numeric, 3) AS score
      FROM coverages JOIN candidates USING (id)
      WHERE has_enough OR NOT EXISTS (SELECT FROM coverages WHERE has_enough)
    ),
    ranked AS (
      SELECT id, row_number() OVER (ORDER BY score DESC, relevance_score DESC, created_at DESC, id DESC) AS place
      FROM scores ORDER BY place LIMIT $2
    )`;
}
