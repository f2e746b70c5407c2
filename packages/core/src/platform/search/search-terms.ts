import type { Bind } from "@workspace/db";
import type { SearchQuery } from "./search-query.ts";
import { DEFAULT_DICTIONARY, isSpelled, LATIN_DICTIONARIES, quotedLexeme } from "./search-vector.queries.ts";

/** A word that no text has stands for so many that begin with the same two letters and differ in so many. */
const MAX_CORRECTIONS = 3;
const MAX_EDITS = 2;
/** In a word of up to so many letters only one may differ. */
const SHORT_WORD = 5;
/** A misspelt word may keep an ending of so many letters that its stem lacks; that counts as one that differs. */
const MAX_ENDING = 4;
/** What such a guess counts, of what the word itself would. */
const GUESS_SHARE = 0.5;

/** Texts with search vectors. */
export interface SearchedTexts {
  /** The table of their search vectors. */
  readonly table: string;
  /** The table of the words in them, by which spelling is corrected; absent if it never is. */
  readonly words?: string;
}

interface TermsOfQuery {
  readonly query: SearchQuery;
  /** Whether a word that no text has stands for words like it. */
  readonly correctsSpelling: boolean;
}

/**
 * SQL of common table expressions, the last of which, `terms`, has what a text of a table can have of a query: each as a
 * `tsquery`, also as one that is only found in a text's first field, and in how many texts it is expected.
 */
export function searchTerms(
  { table, words }: SearchedTexts,
  { query, correctsSpelling }: TermsOfQuery,
  bind: Bind,
): string {
  return [
    stemsOf(table, query, bind),
    correctsSpelling && words !== undefined
      ? correctedBy(words)
      : "spelled AS (SELECT number, part, lexeme, is_beginning, false AS is_guess FROM stems)",
    termsOf(table),
  ].join(",\n");
}

/** SQL of `stems`: the words of a query as vectors have them, in each language that there is. */
function stemsOf(table: string, query: SearchQuery, bind: Bind): string {
  const words = query.words.flatMap(({ parts, ...word }, number) =>
    [word, ...parts].map(({ text, dictionary }, part) => ({
      number,
      part,
      word: text,
      dictionary,
      begins: part === 0 && word.text === query.unfinishedWord,
    })),
  );
  return `
    query_words AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${bind(JSON.stringify(words))}) AS w (number int, part int, word text, dictionary text, begins boolean)
    ),
    languages AS MATERIALIZED (
      SELECT latin.dictionary::regdictionary, (
          SELECT count(*) FROM query_words q
          WHERE part = 0 AND q.dictionary = '' AND ts_lexize(latin.dictionary::regdictionary, word) = '{}'
        ) AS stop_words, place
      FROM unnest(${LATIN_DICTIONARIES}) WITH ORDINALITY AS latin (dictionary, place)
      WHERE dictionary = '${DEFAULT_DICTIONARY}'
        -- EXISTS would read the whole table for a language that is not in it, if nearly all texts have the same one.
        OR latin.dictionary = (SELECT min(v.dictionary) FROM ${table} v WHERE v.dictionary >= latin.dictionary)
    ),
    whole_stems AS MATERIALIZED (
      SELECT number, part, lexeme, word, begins
      FROM query_words q, LATERAL (
        SELECT word AS lexeme WHERE q.dictionary IS NULL
        UNION SELECT (ts_lexize(q.dictionary::regdictionary, word))[1] WHERE q.dictionary <> ''
        UNION SELECT (ts_lexize(l.dictionary, word))[1] FROM languages l WHERE q.dictionary = ''
      ) AS stem
      WHERE lexeme IS NOT NULL AND (q.dictionary <> '' OR q.dictionary IS NULL OR
        ts_lexize((SELECT dictionary FROM languages ORDER BY stop_words DESC, place LIMIT 1), word) <> '{}')
    ),
    -- A word that is not finished is found by its beginning, and by its stem if that is another word.
    stems AS MATERIALIZED (
      SELECT number, part, lexeme, begins AND starts_with(word, lexeme) AS is_beginning FROM whole_stems
      UNION
      SELECT number, part, word, true FROM whole_stems WHERE begins AND NOT starts_with(word, lexeme)
    )`;
}

/** SQL of `spelled`: the stems, and for words that no text has those like them. */
function correctedBy(table: string): string {
  return `
    misspelt AS MATERIALIZED (
      SELECT number, part, lexeme FROM (
        -- NOT EXISTS would read all words into a hash table.
        SELECT *, bool_and(${isSpelled("lexeme")} AND CASE
          WHEN is_beginning THEN starts_with((SELECT min(word) FROM ${table} WHERE word >= lexeme COLLATE "C"), lexeme) IS NOT TRUE
          ELSE (SELECT min(word) FROM ${table} WHERE word = lexeme COLLATE "C") IS NULL END) OVER (PARTITION BY number, part) AS is_unknown
        FROM stems
      ) AS checked WHERE is_unknown
    ),
    spelled AS MATERIALIZED (
      SELECT number, part, lexeme, is_beginning, false AS is_guess FROM stems
      UNION
      SELECT number, part, word, false, true FROM misspelt, LATERAL (
        SELECT DISTINCT word, edits FROM ${table}, LATERAL (
          SELECT least(levenshtein_less_equal(word, lexeme, ${MAX_EDITS}), CASE
            WHEN length(word) > ${SHORT_WORD} AND length(lexeme) BETWEEN length(word) AND length(word) + ${MAX_ENDING}
            THEN 1 + levenshtein_less_equal(word, left(lexeme, length(word)), ${MAX_EDITS}) END) AS edits
        ) AS compared
        WHERE word >= left(lexeme, 2) COLLATE "C" AND word < left(lexeme, 1) || chr(ascii(substr(lexeme, 2)) + 1) COLLATE "C"
          AND edits <= CASE WHEN length(lexeme) > ${SHORT_WORD} THEN ${MAX_EDITS} ELSE 1 END
        ORDER BY edits, word LIMIT ${MAX_CORRECTIONS}
      ) AS closest
    )`;
}

/** SQL of `terms`: what a text can have of a query, each as a `tsquery`, and in how many texts it is expected. */
function termsOf(table: string): string {
  return `
    -- The most common words are thousands: those of the query are picked while they are read.
    common AS MATERIALIZED (
      SELECT word, frequency
      FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (word, frequency)
      WHERE schemaname = current_schema() AND tablename = '${table}' AND attname = 'vector'
        AND (word = ANY(ARRAY(SELECT lexeme FROM spelled WHERE NOT is_beginning))
          OR word ^@ ANY(ARRAY(SELECT lexeme FROM spelled WHERE is_beginning)))
    ),
    frequencies AS MATERIALIZED (
      SELECT word AS lexeme, frequency FROM common WHERE word IN (SELECT lexeme FROM spelled WHERE NOT is_beginning)
      UNION ALL
      SELECT lexeme, sum(frequency) FROM common JOIN (SELECT DISTINCT lexeme FROM spelled WHERE is_beginning) AS begun
        ON starts_with(word, lexeme) GROUP BY lexeme
    ),
    parts AS (
      SELECT number, part,
        '(' || string_agg(${quotedLexeme("lexeme")} || CASE WHEN is_beginning THEN ':*' ELSE '' END, ' | ') || ')' AS alternatives,
        '(' || string_agg(${quotedLexeme("lexeme")} || CASE WHEN is_beginning THEN ':*AB' ELSE ':AB' END, ' | ') || ')' AS in_first,
        count(*) AS alternative_count, bool_or(lexeme !~ '^\\d+$') AS is_word, bool_or(is_guess) AS is_guess,
        least(coalesce(sum(frequency), 0), 1) AS frequency
      FROM spelled LEFT JOIN frequencies USING (lexeme) GROUP BY number, part
    ),
    -- Without its stop words "off-by-one" is a word, and "40,000" is a number: neither is an identifier.
    terms AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY number) AS term,
        concat_ws(' | ', max(alternatives) FILTER (WHERE part = 0),
          '(' || string_agg(alternatives, ' <-> ' ORDER BY part) FILTER (WHERE part > 0) || ')')::tsquery AS query,
        concat_ws(' | ', max(in_first) FILTER (WHERE part = 0),
          '(' || string_agg(in_first, ' <-> ' ORDER BY part) FILTER (WHERE part > 0) || ')')::tsquery AS first_field_query,
        bool_or(is_guess) AS is_guess,
        -- As a floating-point number, by which thousands of ranks are multiplied. The rank is an average over the alternatives.
        (CASE WHEN bool_or(is_guess) THEN ${GUESS_SHARE} ELSE 1 END *
          CASE WHEN count(*) FILTER (WHERE part > 0) > 1 THEN 1 ELSE sum(alternative_count) END)::float8 AS factor,
        count(*) FILTER (WHERE part > 0) > 1 AS is_compound,
        count(*) FILTER (WHERE part > 0) > 1 AND bool_or(part > 0 AND is_word) AS is_identifier,
        CASE WHEN count(*) > 1 THEN min(frequency) FILTER (WHERE part > 0) ELSE min(frequency) END AS frequency
      FROM parts GROUP BY number ORDER BY term
    )`;
}
