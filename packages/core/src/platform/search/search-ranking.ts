import type { Bind } from "@workspace/db";
import type { SearchQuery } from "./search-query.ts";
import { searchTerms, type SearchedTexts } from "./search-terms.ts";

/** At most so many texts are weighed: those with the rarest words of the query. */
const MAX_CANDIDATES = 1_000;
/** For a long query fewer, for each is weighed by each word. */
const MAX_WEIGHTS = 9_000;
/** If more than this share of all texts is expected to have all words, they are looked for in so many times the texts that are weighed. */
const COMMON_SHARE = 1 / 3;
const SAMPLES = 3;
/** They are looked for in so many places of the table, from its end to its beginning. */
const STRETCHES = 16;
/** Beside rarer words, one that at least this share of texts has is not looked up: it excludes little, and takes longest. */
const EVERYWHERE_SHARE = 0.5;
/** So many of those with the best scores are candidates, with all words first. */
const MAX_SCORED = 400;
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
/** How much of the score of the better of its two neighbours in its session a text gains, and of the better of those next to them. */
const NEIGHBOUR_SHARES = [0.4, 0.2];
/** Neighbours are so many texts away at most. */
export const MAX_DISTANCE = NEIGHBOUR_SHARES.length;
/** How much of the best score in its session a text gains. */
const SESSION_SHARE = 0.3;

/** Texts that are searched. */
export interface SearchCorpus extends SearchedTexts {
  /** Its column with the id of a text. */
  readonly id: string;
  /** SQL of `candidates` from `scores`: at least all that these have, where the conditions hold. */
  candidates(conditions: readonly string[]): string;
}

export interface CorpusSearch {
  readonly query: SearchQuery;
  /** SQL conditions on the candidates. */
  readonly conditions: readonly string[];
  /** Lexemes of which a text must have one, and SQL that counts those that have; null for all texts. */
  readonly scope: { readonly lexemes: readonly string[]; readonly count: string } | null;
  /** Whether a word that no text has stands for words like it. */
  readonly correctsSpelling: boolean;
}

/**
 * SQL of common table expressions that find texts by the words of a query: `terms`, `rarities`, and `candidates` with `id`,
 * `word_score` (without what pairs and neighbours add), `terms_found` and `coverage` (of the words of the query those that it
 * has: how many, and their share of the rarity of all), and `has_identifier` of each.
 */
export function scoredCandidates(corpus: SearchCorpus, search: CorpusSearch, bind: Bind): string {
  return [
    searchTerms(corpus, search, bind),
    vectorsOf(corpus, search, bind),
    SCORES,
    `candidates AS MATERIALIZED (${corpus.candidates(search.conditions)})`,
  ].join(",\n");
}

/** SQL of `wanted`: by what texts are found, without reading too many if even the rarest word is common. */
export function wantedTerms(
  table: string,
  { scope, maxCandidates = MAX_CANDIDATES }: Pick<CorpusSearch, "scope"> & { readonly maxCandidates?: number },
): string {
  // The estimate is never much older than a tenth of the texts.
  const all = `(SELECT reltuples FROM pg_class WHERE oid = '${table}'::regclass)`;
  return `
    total AS MATERIALIZED (SELECT greatest(${scope?.count ?? all}, 1) AS memories),
    most AS MATERIALIZED (SELECT least(${maxCandidates}, ${MAX_WEIGHTS} / greatest(count(*), 1)) AS candidates FROM terms),
    rarest AS MATERIALIZED (
      SELECT query, frequency, row_number() OVER (ORDER BY frequency, term) AS place,
        sum(frequency * memories) OVER (ORDER BY frequency, term) <= most.candidates AS fits
      FROM terms, total, most
    ),
    wanted AS MATERIALIZED (
      SELECT (string_agg('(' || query::text || ')', ' | ') FILTER (WHERE fits OR place = 1))::tsquery AS any_rare,
        (string_agg('(' || query::text || ')', ' & ') FILTER (WHERE place = 1 OR frequency < ${EVERYWHERE_SHARE}))::tsquery AS all_words,
        bool_or(fits) AS has_rare, bool_and(fits) AS is_complete,
        -- As if the words were independent of each other.
        NOT bool_or(fits) AND exp(sum(ln(greatest(frequency, 1e-9)))) > ${COMMON_SHARE} AS is_common
      FROM rarest
    )`;
}

/** SQL of `weights`: what the texts that are weighed have of the terms. If even the rarest word is common, those that have all words come first. */
function vectorsOf({ table, id }: SearchCorpus, { scope }: Pick<CorpusSearch, "scope">, bind: Bind): string {
  const scoped = inScope(scope, bind);
  const isCommon = scope === null ? "(SELECT is_common FROM wanted)" : "false";
  return `
    ${wantedTerms(table, { scope })},
    -- Of the whole table, for what was stored in the same weeks is about the same.
    stretches AS MATERIALIZED (
      SELECT format('(%s,0)', place * relpages / ${STRETCHES})::tid AS begins, format('(%s,0)', least(
          place * relpages / ${STRETCHES} + ceil(${SAMPLES / STRETCHES} * candidates * relpages / reltuples)::int,
          (place + 1) * relpages / ${STRETCHES}))::tid AS ends
      FROM pg_class, most, generate_series(${STRETCHES - 1}, 0, -1) AS place
      WHERE oid = '${table}'::regclass AND reltuples > 0 AND ${isCommon}
    ),
    weights AS MATERIALIZED (
      SELECT id, words, term, weight
      FROM (
        SELECT ${id} AS id, length(vector) AS words, vector
        FROM stretches, LATERAL (SELECT ${id}, vector FROM ${table} WHERE ctid >= begins AND ctid < ends OFFSET 0) AS sample
        WHERE vector @@ (SELECT all_words FROM wanted)
        UNION ALL
        SELECT ${id}, length(vector), vector FROM ${table}
        WHERE NOT (SELECT has_rare FROM wanted) AND NOT ${isCommon} AND vector @@ (SELECT all_words FROM wanted) ${scoped}
        UNION ALL
        SELECT ${id}, length(vector), vector FROM ${table}
        WHERE NOT ${isCommon} AND vector @@ (SELECT any_rare FROM wanted) ${scoped}
          AND ((SELECT has_rare FROM wanted) OR NOT vector @@ (SELECT all_words FROM wanted))
        LIMIT (SELECT candidates FROM most)
      ) AS found, LATERAL (
        -- One text after the other: kept for the next term, so many vectors would go to the disk.
        SELECT term, ${WEIGHT} AS weight FROM terms WHERE found.vector @@ query OFFSET 0
      ) AS has
    )`;
}

/** SQL of how much a vector has of a term. */
const WEIGHT = `factor * CASE WHEN is_compound THEN 1 ELSE ts_rank('${FIELD_WEIGHTS}', vector, query) / ${RANK_OF_ONE}::float4 END`;

/** SQL of whether a text has all words of the query. */
export const HAS_ALL = "terms_found = (SELECT count(*) FROM terms)";

/** SQL of `scores`: the best BM25 of the texts that are weighed, by the terms that they have. */
const SCORES = `
    texts AS MATERIALIZED (
      SELECT count(*) AS texts, avg(words) AS average_words FROM (SELECT DISTINCT id, words FROM weights) AS weighed
    ),
    rarities AS MATERIALIZED (
      SELECT term, is_identifier, ln(1 + (memories - found + 0.5) / (found + 0.5)) AS rarity
      FROM (
        SELECT term, is_identifier, greatest(memories, texts) AS memories,
          CASE WHEN is_complete THEN coalesce(found, 0) ELSE greatest(found, frequency * memories) END AS found
        FROM terms LEFT JOIN (SELECT term, count(*) AS found FROM weights GROUP BY term) AS counts USING (term), total, texts, wanted
      ) AS counted
    ),
    scores AS MATERIALIZED (
      SELECT id, terms_found, has_identifier, rarity / (SELECT sum(rarity) FROM rarities) AS coverage,
        score / (1 + ${K1} * (${1 - B} + ${B} * words / (SELECT average_words FROM texts))) AS word_score
      FROM (
        SELECT id, words, count(*) AS terms_found, bool_or(is_identifier) AS has_identifier, sum(rarity) AS rarity,
          sum(weight * rarity) AS score
        FROM weights JOIN rarities USING (term) GROUP BY id, words
      ) AS weighed
      ORDER BY ${HAS_ALL} DESC, word_score DESC LIMIT ${MAX_SCORED}
    )`;

/** SQL of `best`: the candidates with the best scores, raised by pairs of words next to each other. */
export function bestOf({ table, id }: SearchCorpus): string {
  return `
    pairs AS MATERIALIZED (
      SELECT tsquery_phrase(one.query, next.query) AS query, least(of_one.rarity, of_next.rarity) AS rarity
      FROM terms one JOIN terms next ON next.term = one.term + 1
        JOIN rarities of_one ON of_one.term = one.term JOIN rarities of_next ON of_next.term = next.term
    ),
    best AS MATERIALIZED (
      SELECT c.*, word_score + (
          SELECT coalesce(${PAIR_WEIGHT} * sum(rarity), 0) FROM pairs WHERE v.vector @@ pairs.query
        ) AS score
      FROM (SELECT * FROM candidates ORDER BY word_score DESC LIMIT ${MAX_BEST}) AS c JOIN ${table} v ON v.${id} = c.id
    )`;
}

/**
 * SQL of `raised`: the candidates with the scores that order and their sessions raise. `neighbours` has ids, and the distance
 * and score of what is near them in their session.
 */
export function raisedBy(neighbours: string): string {
  const gains = NEIGHBOUR_SHARES.map(
    (share, index) => `${share} * coalesce(max(score) FILTER (WHERE distance = ${index + 1}), 0)`,
  );
  return `
    gains AS (SELECT id, ${gains.join(" + ")} AS gain FROM (${neighbours}) AS near GROUP BY id),
    raised AS MATERIALIZED (
      SELECT c.*, best.id IS NOT NULL AS is_best, coalesce(best.score, c.word_score) + coalesce(gain, 0)
        + CASE WHEN c.session_id IS NULL THEN 0
          ELSE ${SESSION_SHARE} * max(coalesce(best.score, c.word_score)) OVER (PARTITION BY c.session_id) END AS score
      FROM candidates c LEFT JOIN best USING (id) LEFT JOIN gains USING (id)
    )`;
}

/** SQL that restricts search vectors to a scope. */
export function inScope(scope: CorpusSearch["scope"], bind: Bind): string {
  return scope === null
    ? ""
    : `AND vector @@ ${bind(scope.lexemes.map((lexeme) => `'${lexeme}'`).join(" | "))}::tsquery`;
}
