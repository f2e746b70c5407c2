import type { Bind } from "@workspace/db";
import type { SearchQuery } from "./search-query.ts";
import { wantedTerms } from "./search-ranking.ts";
import { searchTerms, type SearchedTexts } from "./search-terms.ts";

/** So many texts with rare words are compared; of those with common words, so many besides the recent ones. */
const MAX_CANDIDATES = 600;
const MAX_OTHERS = 300;
/** If so many texts have all words, only recent ones are compared: there are enough, and to list all takes longest. */
const EVERYWHERE = 10_000;
/** What a word counts that stands for one that no text has. */
const GUESS_SHARE = 0.5;

/** Texts that are compared with those of other tables: by the words that they have, not by how often they have them. */
export interface CoveredTexts extends SearchedTexts {
  /** The column with the id of a text. */
  readonly id: string;
  /** SQL of the ids of recent texts that fulfil a condition on their `vector`, of a bounded number. */
  recent(condition: string): string;
  /** SQL of the ids of what is compared besides. */
  readonly others?: string;
  /** SQL that restricts search vectors; empty or beginning with `AND`. */
  readonly scoped?: string;
}

/**
 * SQL of common table expressions, the last of which, `scores`, has the `id` of texts and how they compare with a query:
 * `terms_found` and `coverage` (how many of its words they have, and their share of the rarity of all), and `titled_terms` and
 * `title_coverage`, the same in the first field of a text.
 *
 * If even the rarest word is common, recent texts with it are compared, and some with all words, unless those are everywhere: the
 * work is bounded whatever is asked. A word that no text has stands for words like it.
 */
export function wordCoverage(texts: CoveredTexts, query: SearchQuery, bind: Bind): string {
  const { table, id, others, scoped = "" } = texts;
  return `
    ${searchTerms(texts, { query, correctsSpelling: true }, bind)},
    ${wantedTerms(table, { scope: null, maxCandidates: MAX_CANDIDATES })},
    -- As many texts as would have all words if these were independent of each other.
    chosen AS MATERIALIZED (
      SELECT has_rare, CASE WHEN has_rare THEN any_rare ELSE all_words END AS query,
        CASE WHEN is_everywhere THEN all_words ELSE any_rare END AS recent_query,
        CASE WHEN has_rare THEN candidates WHEN is_everywhere THEN 0 ELSE ${MAX_OTHERS} END AS candidates
      FROM wanted, most, (
        SELECT min(memories) * exp(sum(ln(greatest(frequency, 1e-9)))) > ${EVERYWHERE} AS is_everywhere FROM terms, total
      ) AS expected
    ),
    recent AS MATERIALIZED (
      ${texts.recent(`NOT (SELECT has_rare FROM chosen) AND vector @@ (SELECT recent_query FROM chosen) ${scoped}`)}
    ),
    found AS MATERIALIZED (
      SELECT id FROM recent ${others === undefined ? "" : `UNION ${others}`}
      UNION SELECT id FROM (
        SELECT ${id} AS id FROM ${table}
        WHERE (SELECT candidates > 0 FROM chosen) AND vector @@ (SELECT query FROM chosen) ${scoped}
        LIMIT (SELECT candidates FROM chosen)
      ) AS with_words
    ),
    matches AS MATERIALIZED (
      SELECT found.id, term, vector @@ first_field_query AS is_in_title
      FROM found JOIN ${table} v ON v.${id} = found.id JOIN terms ON vector @@ query
    ),
    rarities AS MATERIALIZED (
      SELECT term, CASE WHEN is_guess THEN ${GUESS_SHARE} ELSE 1 END AS share,
        ln(1 + (greatest(memories, texts) - found + 0.5) / (found + 0.5)) AS rarity
      FROM (
        SELECT term, is_guess, memories, (SELECT count(*) FROM found) AS texts,
          CASE WHEN is_complete THEN coalesce(found, 0) ELSE greatest(found, frequency * memories) END AS found
        FROM terms LEFT JOIN (SELECT term, count(*) AS found FROM matches GROUP BY term) AS counts USING (term), total, wanted
      ) AS counted
    ),
    scores AS MATERIALIZED (
      SELECT id, coalesce(terms_found, 0) AS terms_found, coalesce(titled_terms, 0) AS titled_terms,
        coalesce(coverage, 0) AS coverage, coalesce(title_coverage, 0) AS title_coverage
      FROM found LEFT JOIN (
        SELECT id, count(*) AS terms_found, count(*) FILTER (WHERE is_in_title) AS titled_terms,
          sum(share * rarity) / (SELECT sum(rarity) FROM rarities) AS coverage,
          coalesce(sum(share * rarity) FILTER (WHERE is_in_title), 0) / (SELECT sum(rarity) FROM rarities) AS title_coverage
        FROM matches JOIN rarities USING (term) GROUP BY id
      ) AS weighed USING (id)
    )`;
}
