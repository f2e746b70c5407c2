import { column, defineComposedQuery, type Queryable, type RowOf } from "@workspace/db";
import type { SearchQuery } from "../../platform/search/search-query.ts";
import { HAS_ALL } from "../../platform/search/search-ranking.ts";
import { wordCoverage } from "../../platform/search/word-coverage.ts";

/** If even the rarest word is common, so many of the turns that were indexed last are looked at. */
const MAX_RECENT = 1_000;
const MAX_RECENT_FOUND = 200;
/** So many of the best turns may be of the same session. */
const MAX_TURNS = 100;

const FOUND = {
  sessionId: column.text,
  position: column.integer,
  /** The share that the words of the turn make up of the rarity of all, from 0 to 1. */
  coverage: column.float.neverNull,
  hasAllWords: column.boolean.neverNull,
  occurredAt: column.timestamp.neverNull,
};
export type FoundSession = Readonly<RowOf<typeof FOUND>>;

interface SessionSearch {
  readonly query: SearchQuery;
  /** What is about as strong is ordered by time: in so many steps. */
  readonly steps: number;
  readonly limit: number;
}

const foundSessions = defineComposedQuery({
  name: "find-sessions",
  isPrepared: true,
  row: FOUND,
  compose: ({ query, steps, limit }: SessionSearch, bind) => {
    const recent = (condition: string) => `
      SELECT id FROM (SELECT id, vector FROM session_turn_vectors ORDER BY id DESC LIMIT ${MAX_RECENT}) AS latest
      WHERE ${condition} LIMIT ${MAX_RECENT_FOUND}`;
    return `
      WITH ${wordCoverage({ table: "session_turn_vectors", id: "id", recent }, query, bind)},
      best AS MATERIALIZED (
        SELECT t.id, t.session_id, t.position, t.occurred_at, coverage, ${HAS_ALL} AS has_all, round((coverage * ${bind(steps)})::numeric) AS step
        FROM scores JOIN session_turn_vectors t USING (id) ORDER BY step DESC, t.id DESC LIMIT ${MAX_TURNS}
      ),
      of_sessions AS (
        SELECT DISTINCT ON (session_id) * FROM best ORDER BY session_id, step DESC, id DESC
      )
      SELECT t.session_id AS "sessionId", position, coverage::float8 AS coverage, has_all AS "hasAllWords",
        coalesce(occurred_at, t.updated_at) AS "occurredAt"
      FROM of_sessions JOIN session_transcripts t USING (session_id) ORDER BY step DESC, id DESC LIMIT ${bind(limit)}`;
  },
  examples: [{ query: { phrase: "a", words: [], literalWords: [] }, steps: 1, limit: 1 }],
});

/** The sessions with the turns that have most of the words of a query, the best turn of each; among equals the most recent. */
export function findSessions(db: Queryable, search: SessionSearch): Promise<FoundSession[]> {
  return foundSessions.all(db, search);
}
