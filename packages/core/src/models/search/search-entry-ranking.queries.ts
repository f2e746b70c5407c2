import { column, defineComposedQuery, SearchSource, type Queryable, type RowOf } from "@workspace/db";
import type { SearchQuery } from "../../platform/search/search-query.ts";
import { HAS_ALL, inScope } from "../../platform/search/search-ranking.ts";
import { wordCoverage, type CoveredTexts } from "../../platform/search/word-coverage.ts";
import { folderLexeme, MAX_TITLE_CHARACTERS, sourceLexeme } from "./search-entry.ts";
import { STRENGTH_STEPS } from "./search-order.ts";

/** If even the rarest word is common, so many of the most recent rows of each source are looked at, and so many of those with it taken. */
const MAX_RECENT = 500;
const MAX_RECENT_FOUND = 100;
/** So many rows with exactly this title, and so many whose titles begin with it. */
const MAX_SAME_TITLE = 20;
const MAX_SAME_BEGINNING = 50;
/** No title begins with what follows the query with it. Unlike a pattern, such a range needs no plan of its own for each query. */
const LAST_CHARACTER = 0x10ffff;

/** SQL of a strength in steps, so that what is about as strong is ordered by time. */
const rounded = (strength: string) => `round((${strength} * ${STRENGTH_STEPS})::numeric)`;

const FOUND = {
  source: column.oneOf(SearchSource),
  sourceId: column.uuid,
  shownId: column.text,
  occurredAt: column.timestamp,
  tier: column.integer.neverNull,
  strength: column.float.neverNull,
  hasAllWords: column.boolean.neverNull,
};
export type FoundEntry = Readonly<RowOf<typeof FOUND>>;

export interface EntrySearch {
  readonly query: SearchQuery;
  /** Where it is searched. */
  readonly sources: readonly SearchSource[];
  /** The only folder of the vault whose documents may be found; null for all. */
  readonly folder: string | null;
  readonly limit: number;
}

const foundEntries = defineComposedQuery({
  name: "search-entries",
  isPrepared: true,
  row: FOUND,
  compose: ({ query, sources, folder, limit }: EntrySearch, bind) => {
    const lexemes = sources.map((source) =>
      source === "document" && folder !== null ? folderLexeme(folder) : sourceLexeme(source),
    );
    const isEverything = folder === null && sources.length === Object.keys(SearchSource).length;
    const scoped = inScope(isEverything ? null : { lexemes, count: "" }, bind);
    const phrase = bind(query.phrase.slice(0, MAX_TITLE_CHARACTERS));
    const texts: CoveredTexts = {
      table: "search_entries",
      id: "id",
      words: "search_words",
      scoped,
      recent: (condition) => `
        SELECT entry.id FROM unnest(${bind(sources)}::search_source[]) AS wanted_source, LATERAL (
          SELECT id FROM (
            SELECT id, vector FROM search_entries WHERE source = wanted_source ORDER BY occurred_at DESC LIMIT ${MAX_RECENT}
          ) AS latest
          WHERE ${condition} LIMIT ${MAX_RECENT_FOUND}
        ) AS entry`,
      others: `
        SELECT id FROM (
          SELECT id FROM search_entries WHERE title = ${phrase} ${scoped} ORDER BY occurred_at DESC LIMIT ${MAX_SAME_TITLE}
        ) AS same_title
        UNION SELECT id FROM (
          SELECT id FROM search_entries
          WHERE title >= ${phrase} AND title < ${phrase} || chr(${LAST_CHARACTER}) ${scoped} LIMIT ${MAX_SAME_BEGINNING}
        ) AS same_beginning`,
    };
    return `
    WITH ${wordCoverage(texts, query, bind)},
    phrase AS MATERIALIZED (
      SELECT CASE WHEN count(*) > 1 THEN string_agg('(' || query::text || ')', ' <-> ' ORDER BY term)::tsquery END AS query FROM terms
    ),
    tiers AS (
      SELECT e.source, e.source_id, e.shown_id, e.occurred_at, (coverage + title_coverage) / 2 AS strength, ${HAS_ALL} AS has_all,
        CASE WHEN title = ${phrase} THEN 4
          WHEN starts_with(title, ${phrase}) THEN 3
          WHEN NOT ${HAS_ALL} OR terms_found = 0 THEN 0
          WHEN titled_terms = terms_found THEN 2
          WHEN e.vector @@ (SELECT query FROM phrase) THEN 1
          ELSE 0 END AS tier
      FROM scores JOIN search_entries e USING (id)
    ),
    shown AS (
      SELECT DISTINCT ON (source = 'prompt', shown_id) * FROM tiers
      ORDER BY source = 'prompt', shown_id, tier DESC, ${rounded("strength")} DESC, occurred_at DESC
    )
    SELECT source, source_id AS "sourceId", shown_id AS "shownId", occurred_at AS "occurredAt", tier, strength::float8 AS strength,
      has_all OR tier > 0 AS "hasAllWords"
    FROM shown ORDER BY tier DESC, ${rounded("strength")} DESC, occurred_at DESC, source_id DESC LIMIT ${bind(limit)}`;
  },
  examples: [
    {
      query: { phrase: "a", words: [], literalWords: [] },
      sources: ["document"],
      folder: "a",
      limit: 1,
    },
    {
      query: { phrase: "a", words: [], literalWords: [] },
      sources: Object.values(SearchSource),
      folder: null,
      limit: 1,
    },
  ],
});

/**
 * The rows that a query finds, best first: those with exactly this title (tier 4), whose title begins with it (3), with all words
 * in their title (2), with the words next to each other (1), and the rest by the rarity of the words that they have; among equals
 * the most recent. However common the words are, at most some thousands of rows are looked at.
 */
export function searchEntries(db: Queryable, search: EntrySearch): Promise<FoundEntry[]> {
  return foundEntries.all(db, search);
}
