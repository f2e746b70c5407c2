import { column, defineComposedQuery, type Bind, type Queryable } from "@workspace/db";
import { IS_GIVEN } from "./memory.queries.ts";
import type { ProjectScope } from "./project-path.ts";
import type { PossibleRepetition } from "./repetition.ts";
import type { SearchQuery } from "./search-query.ts";
import { BEST_FIRST, rankedByQuery, type RankedSearch } from "./search-ranking.ts";
import { projectLexeme, withinLexeme } from "./search-vector.ts";

/** A single word in common is chance, unless it is an identifier. */
const MIN_TERMS = 2;
/** What a memory has of a prompt must be this share of the rarity of the prompt's words. */
const MIN_COVERAGE = 0.2;
const IS_RELEVANT = `(has_identifier OR terms_found >= ${MIN_TERMS} AND coverage >= ${MIN_COVERAGE})`;
/** What is found beside a relevant memory and not much worse is returned too. */
const MIN_SHARE_OF_BEST = 0.4;
/** So many are considered before repetitions are left out. */
const MAX_RELEVANT = 100;
/** A scope with more memories than this counts as one with so many. */
const MAX_COUNTED = 20_000;

/** A memory, and how well it matches. */
export interface RelevantMemory extends PossibleRepetition {
  /** Whether it contains the whole prompt, and then comes first. */
  readonly hasPhrase: boolean;
  readonly score: number;
}

const relevantMemories = defineComposedQuery({
  name: "select-relevant-memories",
  row: {
    id: column.uuid.neverNull,
    nearDuplicateOfId: column.uuid.nullable,
    hasPhrase: column.boolean.neverNull,
    score: column.float.neverNull,
  },
  compose: ({ query, scope }: { query: SearchQuery; scope: ProjectScope | null }, bind) => {
    const search = {
      query,
      conditions: ["m.deleted_at IS NULL", IS_GIVEN],
      literal: [],
      scope: scope === null ? null : toSearchScope(scope, bind),
      limit: MAX_RELEVANT,
      // A word that no memory has is a sign that the prompt is about something else.
      correctsSpelling: false,
    };
    return `
      WITH ${rankedByQuery(search, bind)}
      SELECT id, near_duplicate_of_id AS "nearDuplicateOfId", has_phrase AS "hasPhrase", score FROM matches
      WHERE score >= ${MIN_SHARE_OF_BEST} * (SELECT max(score) FROM matches WHERE ${IS_RELEVANT})
      ORDER BY ${BEST_FIRST} LIMIT ${MAX_RELEVANT}`;
  },
  examples: [
    { query: { phrase: "a", words: [], literalWords: [] }, scope: { own: ["/a"], above: ["/"] } },
    { query: { phrase: "a", words: [], literalWords: [] }, scope: null },
  ],
});

/**
 * The memories of a project's scope, or of all projects, that have something to do with a prompt, best first; none if
 * nothing has.
 */
export function selectRelevantMemories(
  db: Queryable,
  query: SearchQuery,
  scope: ProjectScope | null,
): Promise<RelevantMemory[]> {
  return relevantMemories.all(db, { query, scope });
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
