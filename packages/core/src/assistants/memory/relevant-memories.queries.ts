import { column, defineComposedQuery, type Bind, type Queryable } from "@workspace/db";
import { toPrefixPattern } from "../../platform/fold-text.ts";
import { IS_GIVEN } from "./memory.queries.ts";
import { FUSED_SCORE, nearestMemories } from "./memory-nearest.ts";
import type { QueryEmbedding } from "./query-embedding.ts";
import { folderPrefix, type ProjectScope } from "./project-path.ts";
import type { PossibleRepetition } from "./repetition.ts";
import type { SearchQuery } from "../../platform/search/search-query.ts";
import { BEST_FIRST, rankedByQuery, type RankedSearch } from "./memory-matches.ts";
import { projectLexeme, withinLexeme } from "./memory-vector.ts";

/** A single word in common is chance, unless it is an identifier. */
const MIN_TERMS = 2;
/** What a memory has of a prompt must be this share of the rarity of the prompt's words. */
const MIN_COVERAGE = 0.2;
const IS_RELEVANT = `(has_identifier OR terms_found >= ${MIN_TERMS} AND coverage >= ${MIN_COVERAGE})`;
/** What is found beside a relevant memory and not much worse is returned too. */
const MIN_SHARE_OF_BEST = 0.5;
/** So many are considered before repetitions are left out. */
const MAX_RELEVANT = 100;
/** A scope with more memories than this counts as one with so many. */
const MAX_COUNTED = 20_000;

/** A memory, and how well it matches. */
export interface RelevantMemory extends PossibleRepetition {
  /** Whether it is relevant by itself, and not only found beside one that is. */
  readonly isRelevant: boolean;
  /** Whether it contains the whole prompt, and then comes first. */
  readonly hasPhrase: boolean;
  readonly score: number;
}

interface RelevantSearch {
  readonly query: SearchQuery;
  /** Null for all projects. */
  readonly scope: ProjectScope | null;
  /** Null to search by words only. */
  readonly embedding: QueryEmbedding | null;
}

const NO_WORDS: SearchQuery = { phrase: "a", words: [], literalWords: [] };

const relevantMemories = defineComposedQuery({
  name: "select-relevant-memories",
  isPrepared: true,
  row: {
    id: column.uuid.neverNull,
    nearDuplicateOfId: column.uuid.nullable,
    isRelevant: column.boolean.neverNull,
    hasPhrase: column.boolean.neverNull,
    score: column.float.neverNull,
  },
  compose: ({ query, scope, embedding }: RelevantSearch, bind) => {
    const conditions = ["m.deleted_at IS NULL", IS_GIVEN];
    const search = {
      query,
      conditions,
      literal: [],
      scope: scope === null ? null : toSearchScope(scope, bind),
      limit: MAX_RELEVANT,
      // A word that no memory has is a sign that the prompt is about something else.
      correctsSpelling: false,
    };
    const byWords = rankedByQuery(search, bind);
    const isFoundByWords = `score >= ${MIN_SHARE_OF_BEST} * (SELECT max(score) FROM matches WHERE ${IS_RELEVANT})`;
    if (embedding === null) {
      return `
      WITH ${byWords}
      SELECT id, near_duplicate_of_id AS "nearDuplicateOfId", ${IS_RELEVANT} AS "isRelevant", has_phrase AS "hasPhrase", score
      FROM matches
      WHERE ${isFoundByWords} ORDER BY ${BEST_FIRST} LIMIT ${MAX_RELEVANT}`;
    }
    const inScope = scope === null ? null : toEmbeddingScope(scope, bind);
    return `
      WITH ${byWords},
      ${nearestMemories({ embedding, conditions, scope: inScope }, bind)},
      by_words AS (
        SELECT id, near_duplicate_of_id, ${IS_RELEVANT} AS is_relevant, has_phrase, has_identifier, row_number() OVER (ORDER BY ${BEST_FIRST}) AS place
        FROM matches WHERE ${isFoundByWords} ORDER BY place LIMIT ${MAX_RELEVANT}
      )
      SELECT id, coalesce(by_words.near_duplicate_of_id, nearest.near_duplicate_of_id) AS "nearDuplicateOfId",
        (by_words.is_relevant IS TRUE OR nearest.is_relevant IS TRUE) AS "isRelevant", has_phrase IS TRUE AS "hasPhrase", ${FUSED_SCORE} AS score
      FROM by_words FULL JOIN nearest USING (id) WHERE by_words.id IS NOT NULL OR nearest.is_relevant
      ORDER BY "hasPhrase" DESC, score DESC, id DESC LIMIT ${MAX_RELEVANT}`;
  },
  examples: [
    { query: NO_WORDS, scope: { own: ["/a"], above: ["/"] }, embedding: { space: "", signature: "" } },
    { query: NO_WORDS, scope: null, embedding: { space: "", signature: "" } },
    { query: NO_WORDS, scope: { own: ["/a"], above: ["/"] }, embedding: null },
    { query: NO_WORDS, scope: null, embedding: null },
  ],
});

/**
 * The memories of a project's scope, or of all projects, that have something to do with a prompt, best first; none if
 * nothing has.
 */
export function selectRelevantMemories(db: Queryable, search: RelevantSearch): Promise<RelevantMemory[]> {
  return relevantMemories.all(db, search);
}

function toSearchScope({ own, above }: ProjectScope, bind: Bind): RankedSearch["scope"] {
  const paths = bind([...own, ...above]);
  return {
    lexemes: [...[...own, ...above, null].map(projectLexeme), ...own.map(withinLexeme)],
    count: `(SELECT count(*) FROM (
      SELECT FROM memory_chunks WHERE project_path = ANY(${paths}::text[]) OR project_path IS NULL LIMIT ${MAX_COUNTED}
    ) AS own)`,
  };
}

function toEmbeddingScope({ own, above }: ProjectScope, bind: Bind): string {
  const isNamed = `e.project_path = ANY(${bind([...own, ...above])}::text[]) OR e.project_path IS NULL`;
  const isBelow = own.map((name) => `e.project_path LIKE ${bind(toPrefixPattern(folderPrefix(name)))}`);
  return `(${[isNamed, ...isBelow].join(" OR ")})`;
}
