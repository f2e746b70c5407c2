import { defineComposedQuery, type Bind, type Queryable } from "@workspace/db";
import { toSearchPattern } from "../../platform/fold-text.ts";
import { COLUMNS, MEMORY, memoryColumns } from "./memory.queries.ts";
import type { MemoryChunk, SearchMemory } from "./memory.schema.ts";
import { FUSED_SCORE, nearestMemories } from "./memory-nearest.ts";
import type { QueryEmbedding } from "./query-embedding.ts";
import { parseSearchQuery } from "../../platform/search/search-query.ts";
import { BEST_FIRST, rankedByQuery } from "./memory-matches.ts";
import { projectLexeme } from "./memory-vector.ts";

/** A project with more memories than this counts as one with so many. */
const MAX_COUNTED = 20_000;
/** So many that words have found, as many as a search may return, are fused with those that vectors have. */
const MAX_FUSED = 100;

interface Search extends Omit<SearchMemory, "projectPath"> {
  /** The names of the project whose memories are searched; undefined for all. */
  readonly projects?: readonly string[] | undefined;
  /** Of a query of more than two words; null to search by words only. */
  readonly embedding: QueryEmbedding | null;
}

const seen = defineComposedQuery({
  name: "search-memories-uncounted",
  row: MEMORY,
  compose: (search: Search, bind) => `
    WITH ${rankedMemories(search, bind)}
    SELECT ${COLUMNS} FROM ranked JOIN memory_chunks m USING (id) ORDER BY ranked.place`,
  examples: [
    {
      query: "more than two words",
      projects: ["", ""],
      chunkType: "fact",
      minRelevance: 0,
      awaitsReview: true,
      isUse: false,
      limit: 1,
      embedding: { space: "", signature: "" },
    },
  ],
});

const found = defineComposedQuery({
  name: "search-memories",
  isPrepared: true,
  row: MEMORY,
  compose: ({ now, ...search }: Search & { now: Date }, bind) => `
    WITH ${rankedMemories(search, bind)},
    locked AS (
      SELECT id FROM memory_chunks WHERE id IN (SELECT id FROM ranked) ORDER BY id FOR KEY SHARE
    ),
    accesses AS (
      INSERT INTO memory_accesses AS a (memory_id, access_count, last_accessed_at) SELECT id, 1, ${bind(now)} FROM locked
      ON CONFLICT (memory_id) DO UPDATE SET access_count = a.access_count + 1, last_accessed_at = excluded.last_accessed_at
      RETURNING *
    )
    SELECT ${memoryColumns("a.access_count", "a.last_accessed_at")}
    FROM accesses a JOIN memory_chunks m ON m.id = a.memory_id JOIN ranked USING (id) ORDER BY ranked.place`,
  examples: [
    {
      query: "more than two words",
      projects: ["", ""],
      chunkType: "fact",
      minRelevance: 0,
      awaitsReview: true,
      isUse: true,
      limit: 1,
      now: new Date(0),
      embedding: { space: "", signature: "" },
    },
    { query: "more than two words", limit: 1, now: new Date(0), embedding: { space: "", signature: "" } },
    { query: "more than two words", limit: 1, now: new Date(0), embedding: null },
    { query: "two words", projects: [""], limit: 1, now: new Date(0), embedding: null },
    { query: "%", limit: 1, now: new Date(0), embedding: null },
    { limit: 1, now: new Date(0), embedding: null },
  ],
});

/**
 * Finds memories and, unless it is no use of them, counts the look-up in each that is returned, in one statement. With a query
 * the best match comes first; else relevance, then age decide. Rows are locked in the order of their ids, so that concurrent
 * searches wait for each other and never in a circle.
 */
export function searchMemories(db: Queryable, search: Search, now: Date): Promise<MemoryChunk[]> {
  return search.isUse === false ? seen.all(db, search) : found.all(db, { ...search, now });
}

/** SQL of common table expressions, the last of which, `ranked`, has the `id` and `place` of what is found. */
function rankedMemories(search: Search, bind: Bind): string {
  const conditions = ["m.deleted_at IS NULL"];
  const projects = search.projects?.map((project) => bind(project)).join(", ");
  if (projects !== undefined) conditions.push(`m.project_path IN (${projects})`);
  if (search.chunkType !== undefined) conditions.push(`m.chunk_type = ${bind(search.chunkType)}`);
  if (search.minRelevance !== undefined) conditions.push(`m.relevance_score >= ${bind(search.minRelevance)}`);
  if (search.awaitsReview !== undefined) conditions.push(`m.awaits_review = ${bind(search.awaitsReview)}`);
  const query = search.query === undefined ? null : parseSearchQuery(search.query);
  if (query === null) {
    return `ranked AS (
      SELECT id, row_number() OVER (ORDER BY relevance_score DESC, created_at DESC, id DESC) AS place
      FROM memory_chunks m WHERE ${conditions.join(" AND ")}
      ORDER BY relevance_score DESC, created_at DESC, id DESC LIMIT ${bind(search.limit)}
    )`;
  }
  const scope =
    search.projects === undefined
      ? null
      : {
          lexemes: search.projects.map(projectLexeme),
          count: `(SELECT count(*) FROM (SELECT FROM memory_chunks WHERE project_path IN (${projects}) LIMIT ${MAX_COUNTED}) AS own)`,
        };
  const contains = (text: string): string => `m.search_text LIKE ${bind(toSearchPattern(text))}`;
  const literal = query.literalWords.map(contains);
  const phrase = literal.length > 0 ? undefined : contains(query.phrase);
  const byWords = rankedByQuery(
    { query, conditions, literal, phrase, scope, limit: search.limit, correctsSpelling: true },
    bind,
  );
  const limit = bind(search.limit);
  if (search.embedding === null || literal.length > 0) {
    return `
    ${byWords},
    ranked AS (
      SELECT id, row_number() OVER (ORDER BY ${BEST_FIRST}) AS place
      FROM matches WHERE is_whole OR NOT EXISTS (SELECT FROM matches WHERE is_whole)
      ORDER BY place LIMIT ${limit}
    )`;
  }
  const inProject = projects === undefined ? null : `e.project_path IN (${projects})`;
  return `
    ${byWords},
    ${nearestMemories({ embedding: search.embedding, conditions, scope: inProject }, bind)},
    by_words AS (
      SELECT id, has_phrase, has_identifier, row_number() OVER (ORDER BY ${BEST_FIRST}) AS place FROM matches
      ORDER BY place LIMIT ${MAX_FUSED}
    ),
    ranked AS (
      SELECT id, row_number() OVER (ORDER BY has_phrase IS TRUE DESC, ${FUSED_SCORE} DESC, id DESC) AS place
      FROM by_words FULL JOIN nearest USING (id) ORDER BY place LIMIT ${limit}
    )`;
}
