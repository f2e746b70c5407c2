import type { Bind } from "@workspace/db";
import type { SearchQuery } from "../../platform/search/search-query.ts";
import {
  bestOf,
  HAS_ALL,
  inScope,
  MAX_DISTANCE,
  raisedBy,
  scoredCandidates,
  type CorpusSearch,
  type SearchCorpus,
} from "../../platform/search/search-ranking.ts";

/** Parts of words are found where words are not, but not ranked: so many suffice. */
const MAX_LITERALS = 100;
/** What begins with so many letters is seldom too much to be gathered. */
const LONG_BEGINNING = 5;
/** So many of those that have one of the words are read to see whether they have the other as a part of a word. */
const MAX_READ = 100;

const MEMORIES: SearchCorpus = {
  table: "memory_search_vectors",
  words: "memory_search_words",
  id: "memory_id",
  candidates: (conditions) => `
      SELECT scores.*, m.session_id, m.near_duplicate_of_id, m.relevance_score, m.created_at
      FROM scores JOIN memory_chunks m USING (id) WHERE ${conditions.join(" AND ")}`,
};

/** SQL of the order of matches. */
export const BEST_FIRST = "has_phrase DESC, round(score * 1000) DESC, relevance_score DESC, created_at DESC, id DESC";

export interface RankedSearch extends CorpusSearch {
  /** SQL conditions on memories `m` that contain the query literally. */
  readonly literal: readonly string[];
  /** SQL condition on memories `m` that contain the whole query, of which no word may be left; absent if that finds nothing. */
  readonly phrase?: string | undefined;
  /** So many are wanted. */
  readonly limit: number;
}

/**
 * SQL of common table expressions, the last of which, `matches`, has what is found by a query: `id`, `score`, `has_phrase`
 * (whether the whole query occurs in the memory), `is_whole` (whether each word of a query of one or two words does),
 * `terms_found` and `coverage` (of the words of the query those that it has: how many, and their share of the rarity of all),
 * `relevance_score` and `created_at`.
 *
 * The score is BM25 with the document frequencies of what matches, plus a bonus for words next to each other; texts of the same
 * session raise one another, neighbours most, for an answer often stands near what the question repeats.
 */
export function rankedByQuery(search: RankedSearch, bind: Bind): string {
  const { query, literal } = search;
  return [
    scoredCandidates(MEMORIES, search, bind),
    raisedScores(query, bind),
    literal.length > 0
      ? shortMatches(search, bind)
      : `matches AS (SELECT *, true AS is_whole FROM stemmed ${wordless(search)})`,
  ].join(",\n");
}

/** SQL of what contains a query that consists of stop words and punctuation, such as "to be or not to be". */
function wordless({ conditions, phrase }: RankedSearch): string {
  if (phrase === undefined) return "";
  return `
      UNION ALL
      (SELECT m.id, 0, false, 0, m.near_duplicate_of_id, m.relevance_score, m.created_at, 0, true, true
       FROM memory_chunks m
       WHERE NOT EXISTS (SELECT FROM terms) AND ${[...conditions, phrase].join(" AND ")} LIMIT ${MAX_LITERALS})`;
}

/** SQL of `stemmed`: what is found by its stems, with the scores that order and sessions raise. */
function raisedScores({ phrase }: SearchQuery, bind: Bind): string {
  const neighbours = NEIGHBOURS.map(
    ([sign, order]) => `
        (SELECT n.id, row_number() OVER (ORDER BY n.created_at ${order}, n.id ${order}) AS distance FROM memory_chunks n
         WHERE n.session_id = best.session_id AND n.deleted_at IS NULL AND (n.created_at, n.id) ${sign} (best.created_at, best.id)
         ORDER BY n.created_at ${order}, n.id ${order} LIMIT ${MAX_DISTANCE})`,
  );
  return `
    ${bestOf(MEMORIES)},
    ${raisedBy(`SELECT neighbour.*, best.score FROM best, LATERAL (${neighbours.join("\n        UNION ALL")}) AS neighbour`)},
    stemmed AS MATERIALIZED (
      SELECT id, terms_found, has_identifier, coverage, near_duplicate_of_id, relevance_score, created_at, score,
        ${HAS_ALL} AND is_best AND EXISTS (
          SELECT FROM memory_chunks m WHERE m.id = raised.id AND strpos(m.search_text, ${bind(phrase)}) > 0
        ) AS has_phrase
      FROM raised
    )`;
}

/** SQL of how memories before and after another one in its session compare with it, and are ordered. */
const NEIGHBOURS = [
  ["<", "DESC"],
  [">", "ASC"],
] as const;

/**
 * SQL of `matches` for a query of one or two words, which may also be parts of words, or no words at all. Words that begin with
 * them are found by the vectors; the index of all parts is slow where texts are long. Both are looked at only for what is missing
 * after the best of those that have one of the words have been read.
 */
function shortMatches({ query, conditions, scope, literal, limit }: RankedSearch, bind: Bind): string {
  const containsWords = query.literalWords.map((word) => `strpos(m.search_text, ${bind(word)}) > 0`);
  const found = (...tables: readonly string[]) => tables.map((name) => `(SELECT count(*) FROM ${name})`).join(" + ");
  return `
    whole AS MATERIALIZED (SELECT id FROM stemmed WHERE ${HAS_ALL}),
    -- In their order, until there are enough.
    partly AS MATERIALIZED (
      SELECT m.id, m.relevance_score, m.created_at
      FROM (SELECT id FROM stemmed WHERE NOT ${HAS_ALL} ORDER BY score DESC LIMIT ${MAX_READ}) AS one, LATERAL (
        SELECT id, relevance_score, created_at FROM memory_chunks m WHERE m.id = one.id AND ${containsWords.join(" AND ")} OFFSET 0
      ) AS m
      WHERE ${found("whole")} < ${bind(limit)} LIMIT ${bind(limit)}
    ),
    begun AS MATERIALIZED (
      SELECT m.id, m.relevance_score, m.created_at
      FROM (
        SELECT memory_id FROM memory_search_vectors
        WHERE ${found("whole", "partly")} < ${bind(limit)} AND vector @@ ${bind(beginnings(query))}::tsquery ${inScope(scope, bind)}
        LIMIT ${MAX_READ}
      ) AS v JOIN memory_chunks m ON m.id = v.memory_id
      WHERE ${[...conditions, ...containsWords].join(" AND ")} AND id NOT IN (SELECT id FROM whole)
      LIMIT ${MAX_LITERALS}
    ),
    contained AS MATERIALIZED (
      SELECT m.id, m.relevance_score, m.created_at FROM memory_chunks m
      WHERE ${found("whole", "partly", "begun")} < ${bind(limit)}
        AND ${[...conditions, ...literal].join(" AND ")}
      LIMIT ${MAX_LITERALS}
    ),
    literals AS MATERIALIZED (SELECT * FROM partly UNION SELECT * FROM begun UNION SELECT * FROM contained),
    matches AS (
      SELECT id, ${HAS_ALL} OR id IN (SELECT id FROM literals) AS is_whole, relevance_score, created_at, has_phrase, score
      FROM stemmed
      UNION ALL
      SELECT id, true, relevance_score, created_at, false, 0 FROM literals WHERE id NOT IN (SELECT id FROM stemmed)
    )`;
}

/**
 * A `tsquery` of what begins with both of two words; null if none is a plain word, and for a single word, which the index of parts
 * finds as quickly. So much begins with a short word that gathering it takes longer than looking for it in what the other finds.
 */
function beginnings({ literalWords }: SearchQuery): string | null {
  const plain = literalWords.filter((word) => /^[\p{L}\p{N}]{3,80}$/u.test(word));
  const long = plain.filter(({ length }) => length >= LONG_BEGINNING);
  const rare = long.length > 0 ? long : plain.toSorted((one, other) => other.length - one.length).slice(0, 1);
  return literalWords.length > 1 && rare.length > 0 ? rare.map((word) => `'${word}':*`).join(" & ") : null;
}
