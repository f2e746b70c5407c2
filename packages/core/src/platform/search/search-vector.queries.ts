import type { SearchVector } from "./search-vector.ts";

/**
 * PostgreSQL's dictionaries for languages in Latin script that know the language's stop words, by which a text's language is
 * recognised. With as many stop words of two languages the first one counts.
 */
export const LATIN_DICTIONARIES = `ARRAY['english_stem', 'german_stem', 'french_stem', 'spanish_stem', 'italian_stem',
  'portuguese_stem', 'dutch_stem', 'swedish_stem', 'danish_stem', 'norwegian_stem', 'finnish_stem', 'hungarian_stem',
  'turkish_stem']`;

/** The language of a text without any stop word. */
export const DEFAULT_DICTIONARY = "english_stem";

/** The language of a text is recognised by so many of its words. */
const SAMPLE_WORDS = 60;
/** The first words of a memory usually say what it is about, and count more. */
const OPENING_WORDS = 4;

/** SQL of whether a lexeme is a word that may be misspelt; shorter ones resemble too many others. */
export function isSpelled(lexeme: string): string {
  return `${lexeme} ~ '^[[:alpha:]]{4,24}$'`;
}

/** SQL of a lexeme as the text of a `tsvector` or `tsquery` quotes it. */
export function quotedLexeme(lexeme: string): string {
  return `'''' || replace(replace(${lexeme}, '\\', '\\\\'), '''', '''''') || ''''`;
}

/**
 * SQL of common table expressions, the last of which, `search_vectors`, has the `dictionary` and `vector` of each text; `number`
 * counts the texts from 1. The parameters are those of {@link vectorParameters}.
 */
export const SEARCH_VECTORS = `
    words AS MATERIALIZED (
      SELECT * FROM unnest($1::int[], $2::int[], $3::int[], $4::text[], $5::text[])
        AS w (number, field, position, word, dictionary)
    ),
    sample AS (
      SELECT number, word, row_number() OVER (PARTITION BY number ORDER BY field, position) AS place
      FROM words WHERE dictionary = ''
    ),
    languages AS (
      SELECT DISTINCT ON (number) number, latin.dictionary
      FROM sample, unnest(${LATIN_DICTIONARIES}) WITH ORDINALITY AS latin (dictionary, rank)
      WHERE place <= ${SAMPLE_WORDS} AND ts_lexize(latin.dictionary::regdictionary, word) = '{}'
      GROUP BY number, latin.dictionary ORDER BY number, count(*) DESC, min(rank)
    ),
    lexemes AS (
      SELECT number, field, position, CASE WHEN w.dictionary IS NULL THEN word ELSE
        (ts_lexize(coalesce(nullif(w.dictionary, ''), l.dictionary, '${DEFAULT_DICTIONARY}')::regdictionary, word))[1] END AS lexeme
      FROM words w LEFT JOIN languages l USING (number)
    ),
    -- Stop words leave no gap; between two fields there is one.
    places AS (
      SELECT number, field, lexeme,
        field + dense_rank() OVER (PARTITION BY number ORDER BY field, position) AS place
      FROM lexemes WHERE lexeme IS NOT NULL
    ),
    vectors AS (
      SELECT number, string_agg(
        ${quotedLexeme("lexeme")} || ':' || place ||
          CASE field WHEN 0 THEN CASE WHEN place <= ${OPENING_WORDS} THEN 'A' ELSE 'B' END WHEN 1 THEN 'C' ELSE 'D' END, ' '
      )::tsvector AS vector
      FROM places GROUP BY number
    ),
    scopes AS (
      SELECT number, array_to_tsvector(array_agg(lexeme)) AS vector
      FROM unnest($6::int[], $7::text[]) AS s (number, lexeme) GROUP BY number
    ),
    search_vectors AS (
      SELECT number, coalesce(l.dictionary, '${DEFAULT_DICTIONARY}') AS dictionary, coalesce(v.vector, '') || s.vector AS vector
      FROM scopes s LEFT JOIN vectors v USING (number) LEFT JOIN languages l USING (number)
    )`;

/** The first seven parameters of a statement with {@link SEARCH_VECTORS}. */
export function vectorParameters(vectors: readonly SearchVector[]): unknown[] {
  const numbers: number[] = [];
  const fields: number[] = [];
  const positions: number[] = [];
  const texts: string[] = [];
  const dictionaries: string[] = [];
  // A note has a thousand words, so none of them becomes an object of its own here.
  for (const [index, { words }] of vectors.entries()) {
    for (const { field, position, text, dictionary } of words) {
      numbers.push(index + 1);
      fields.push(field);
      positions.push(position);
      texts.push(text);
      dictionaries.push(dictionary === null ? "NULL" : `"${dictionary}"`);
    }
  }
  const scopes = vectors.flatMap((vector, index) => vector.scopes.map((lexeme) => ({ lexeme, number: index + 1 })));
  return [
    arrayOf(numbers),
    arrayOf(fields),
    arrayOf(positions),
    texts,
    arrayOf(dictionaries),
    scopes.map(({ number }) => number),
    scopes.map(({ lexeme }) => lexeme),
  ];
}

/** The text of an array whose elements need not be escaped, which the driver would do for each of them. */
function arrayOf(elements: readonly (number | string)[]): string {
  return `{${elements.join(",")}}`;
}
