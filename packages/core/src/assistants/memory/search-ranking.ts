import type { Bind } from "@workspace/db";
import type { SearchQuery } from "./search-query.ts";
import { searchTerms } from "./search-terms.ts";

/** At most so many memories are weighed: those with the rarest words of the query. */
const MAX_CANDIDATES = 1_500;
/** Parts of words are found where words are not, but not ranked: so many suffice. */
const MAX_LITERALS = 200;
/** So many of the best are compared with the whole query, and raise their neighbours. */
const MAX_BEST = 100;

/** What a word counts in a memory's date, excerpt, content, and at the beginning of its content; 1 at most. */
const FIELD_WEIGHTS = "{0.75, 0.45, 0.75, 1}";
/** The rank that `ts_rank` gives a word that occurs once in the content. */
const RANK_OF_ONE = (0.75 * 6) / Math.PI ** 2;
/** How much a memory's score falls with its length, as in BM25 with k1 = 0.9 and b = 0.4. */
const K1 = 0.9;
const B = 0.4;
/** How much two words of the query next to each other count. */
const PAIR_WEIGHT = 0.2;
/** How much of the score of the better of its neighbours in its session a memory gains. */
export const NEIGHBOUR_SHARE = 0.4;

/** Texts that are searched. */
export interface SearchCorpus {
  /** The table of their search vectors. */
  readonly table: string;
  /** Its column with the id of a text. */
  readonly id: string;
  /** SQL of `candidates` from `vectors`: at least `id`, `vector` and `words`, the length of the vector. */
  candidates(conditions: readonly string[]): string;
}

const MEMORIES: SearchCorpus = {
  table: "memory_search_vectors",
  id: "memory_id",
  candidates: (conditions) => `
      SELECT m.id, vector, m.session_id, m.near_duplicate_of_id, m.relevance_score, m.created_at, length(vector) AS words
      FROM vectors JOIN memory_chunks m USING (id) WHERE ${conditions.join(" AND ")}`,
};

/** SQL of the order of matches. */
export const BEST_FIRST =
  "has_phrase DESC, round(score::numeric, 3) DESC, relevance_score DESC, created_at DESC, id DESC";

export interface RankedSearch {
  readonly query: SearchQuery;
  /** SQL conditions on memories `m`. */
  readonly conditions: readonly string[];
  /** SQL conditions on memories `m` that contain the query literally. */
  readonly literal: readonly string[];
  /** Lexemes of which a memory must have one, and SQL that counts those that have; null for all memories. */
  readonly scope: { readonly lexemes: readonly string[]; readonly count: string } | null;
  /** So many are wanted. */
  readonly limit: number;
  /** Whether a word that no memory has stands for words like it. */
  readonly correctsSpelling: boolean;
}

/**
 * SQL of common table expressions, the last of which, `matches`, has what is found by a query: `id`, `score`, `has_phrase`
 * (whether the whole query occurs in the memory), `is_whole` (whether each word of a query of one or two words does),
 * `terms_found` and `coverage` (of the words of the query those that it has: how many, and their share of the rarity of all),
 * `relevance_score` and `created_at`.
 *
 * The score is BM25 with the document frequencies of what matches, plus a bonus for words next to each other; neighbours in a
 * session raise one another, for an answer often stands beside what the question repeats.
 */
export function rankedByQuery(search: RankedSearch, bind: Bind): string {
  const { query, literal } = search;
  return [
    scoredCandidates(MEMORIES, search, bind),
    raisedScores(query, bind),
    literal.length > 0 ? shortMatches(search, bind) : "matches AS (SELECT *, true AS is_whole FROM stemmed)",
  ].join(",\n");
}

/**
 * SQL of common table expressions that find texts by the words of a query: `terms`, `candidates`, `rarities`, and `scores` with
 * `id`, `score`, `terms_found`, `has_identifier` and `coverage` of each, as {@link rankedByQuery} describes them.
 */
export function scoredCandidates(
  corpus: SearchCorpus,
  search: Pick<RankedSearch, "query" | "conditions" | "scope" | "correctsSpelling">,
  bind: Bind,
): string {
  return [searchTerms(corpus.table, search, bind), candidatesOf(corpus, search, bind), SCORES].join(",\n");
}

/**
 * SQL of `candidates`: the memories that are weighed. If even the rarest word is common, those that have all words come
 * first.
 */
function candidatesOf(
  { table, id, candidates }: SearchCorpus,
  { conditions, scope }: Pick<RankedSearch, "conditions" | "scope">,
  bind: Bind,
): string {
  // The estimate is never much older than a tenth of the texts.
  const all = `(SELECT reltuples FROM pg_class WHERE oid = '${table}'::regclass)`;
  const inScope =
    scope === null ? "" : `AND vector @@ ${bind(scope.lexemes.map((lexeme) => `'${lexeme}'`).join(" | "))}::tsquery`;
  return `
    total AS MATERIALIZED (SELECT greatest(${scope?.count ?? all}, 1) AS memories),
    rarest AS MATERIALIZED (
      SELECT query, row_number() OVER (ORDER BY frequency, term) AS place,
        sum(frequency * memories) OVER (ORDER BY frequency, term) <= ${MAX_CANDIDATES} AS fits
      FROM terms, total
    ),
    wanted AS MATERIALIZED (
      SELECT (string_agg('(' || query::text || ')', ' | ') FILTER (WHERE fits OR place = 1))::tsquery AS any_rare,
        string_agg('(' || query::text || ')', ' & ')::tsquery AS all_words,
        bool_or(fits) AS has_rare, bool_and(fits) AS is_complete
      FROM rarest
    ),
    vectors AS MATERIALIZED (
      (SELECT ${id} AS id, vector FROM ${table}
       WHERE NOT (SELECT has_rare FROM wanted) AND vector @@ (SELECT all_words FROM wanted) ${inScope} LIMIT ${MAX_CANDIDATES})
      UNION ALL
      (SELECT ${id}, vector FROM ${table}
       WHERE vector @@ (SELECT any_rare FROM wanted) ${inScope}
         AND ((SELECT has_rare FROM wanted) OR NOT vector @@ (SELECT all_words FROM wanted)) LIMIT ${MAX_CANDIDATES})
    ),
    candidates AS MATERIALIZED (${candidates(conditions)}
    )`;
}

/** SQL of `scores`: BM25 of the candidates, by the terms that they have. */
const SCORES = `
    hits AS MATERIALIZED (
      SELECT id, term, weight FROM candidates, terms, LATERAL (
        SELECT CASE WHEN is_identifier THEN (vector @@ query)::int
          ELSE ts_rank('${FIELD_WEIGHTS}', vector, query) * alternative_count / ${RANK_OF_ONE} END AS weight
      ) AS weighed WHERE weight > 0
    ),
    rarities AS MATERIALIZED (
      SELECT term, is_identifier, ln(1 + (memories - found + 0.5) / (found + 0.5)) AS rarity
      FROM (
        SELECT term, is_identifier, greatest(memories, (SELECT count(*) FROM candidates)) AS memories,
          CASE WHEN is_complete THEN count(id) ELSE greatest(count(id), frequency * memories) END AS found
        FROM terms LEFT JOIN hits USING (term), total, wanted
        GROUP BY term, is_identifier, frequency, memories, is_complete
      ) AS counted
    ),
    scores AS MATERIALIZED (
      SELECT c.id, count(*) AS terms_found, bool_or(is_identifier) AS has_identifier,
        sum(rarity) / (SELECT sum(rarity) FROM rarities) AS coverage,
        sum(weight * rarity) / (1 + ${K1} * (${1 - B} + ${B} * words / avg(words) OVER ())) AS score
      FROM candidates c JOIN hits USING (id) JOIN rarities USING (term) GROUP BY c.id, words
    )`;

/** SQL of `best`: the candidates with the best scores, raised by pairs of words next to each other. */
export const BEST = `best AS MATERIALIZED (
      SELECT c.*, score + (
          SELECT coalesce(${PAIR_WEIGHT} * sum(least(of_one.rarity, of_next.rarity)), 0)
          FROM terms one JOIN terms next ON next.term = one.term + 1
            JOIN rarities of_one ON of_one.term = one.term JOIN rarities of_next ON of_next.term = next.term
          WHERE c.vector @@ tsquery_phrase(one.query, next.query)
        ) AS score
      FROM (SELECT id, score FROM scores ORDER BY score DESC LIMIT ${MAX_BEST}) AS first JOIN candidates c USING (id)
    )`;

/** SQL of `stemmed`: what is found by its stems, with the scores that order and neighbours raise. */
function raisedScores({ phrase }: SearchQuery, bind: Bind): string {
  return `
    ${BEST},
    raised AS (
      SELECT neighbour.id, max(best.score) AS score FROM best, LATERAL (
        (SELECT n.id FROM memory_chunks n
         WHERE n.session_id = best.session_id AND n.deleted_at IS NULL AND (n.created_at, n.id) < (best.created_at, best.id)
         ORDER BY n.created_at DESC, n.id DESC LIMIT 1)
        UNION ALL
        (SELECT n.id FROM memory_chunks n
         WHERE n.session_id = best.session_id AND n.deleted_at IS NULL AND (n.created_at, n.id) > (best.created_at, best.id)
         ORDER BY n.created_at, n.id LIMIT 1)
      ) AS neighbour GROUP BY neighbour.id
    ),
    stemmed AS MATERIALIZED (
      SELECT c.id, terms_found, has_identifier, coverage, c.near_duplicate_of_id, c.relevance_score, c.created_at, EXISTS (
          SELECT FROM memory_chunks m WHERE m.id = best.id AND strpos(m.search_text, ${bind(phrase)}) > 0
        ) AS has_phrase, coalesce(best.score, scores.score) + ${NEIGHBOUR_SHARE} * coalesce(raised.score, 0) AS score
      FROM scores JOIN candidates c USING (id) LEFT JOIN best USING (id) LEFT JOIN raised USING (id)
    )`;
}

const HAS_ALL = "terms_found = (SELECT count(*) FROM terms)";

/** SQL of `matches` for a query of one or two words, which may also be parts of words, or no words at all. */
function shortMatches({ conditions, literal, limit }: RankedSearch, bind: Bind): string {
  return `
    literals AS MATERIALIZED (
      SELECT m.id, m.relevance_score, m.created_at FROM memory_chunks m
      WHERE (SELECT count(*) FROM stemmed WHERE ${HAS_ALL}) < ${bind(limit)} AND ${[...conditions, ...literal].join(" AND ")}
      LIMIT ${MAX_LITERALS}
    ),
    matches AS (
      SELECT id, ${HAS_ALL} OR id IN (SELECT id FROM literals) AS is_whole, relevance_score, created_at, has_phrase, score
      FROM stemmed
      UNION ALL
      SELECT id, true, relevance_score, created_at, false, 0 FROM literals WHERE id NOT IN (SELECT id FROM stemmed)
    )`;
}
