import { defineCommand, type Queryable } from "@workspace/db";
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
const SAMPLE_WORDS = 150;
/** The first words of a memory usually say what it is about, and count more. */
const OPENING_WORDS = 4;

/** SQL of a lexeme as the text of a `tsvector` or `tsquery` quotes it. */
export function quotedLexeme(lexeme: string): string {
  return `'''' || replace(replace(${lexeme}, '\\', '\\\\'), '''', '''''') || ''''`;
}

const storedVectors = defineCommand({
  name: "store-search-vectors",
  text: `
    WITH words AS MATERIALIZED (
      SELECT * FROM unnest($2::uuid[], $3::int[], $4::int[], $5::text[], $6::text[])
        AS w (memory_id, field, position, word, dictionary)
    ),
    sample AS (
      SELECT memory_id, word, row_number() OVER (PARTITION BY memory_id ORDER BY field, position) AS number
      FROM words WHERE dictionary = ''
    ),
    languages AS (
      SELECT DISTINCT ON (memory_id) memory_id, latin.dictionary
      FROM sample, unnest(${LATIN_DICTIONARIES}) WITH ORDINALITY AS latin (dictionary, place)
      WHERE number <= ${SAMPLE_WORDS} AND ts_lexize(latin.dictionary::regdictionary, word) = '{}'
      GROUP BY memory_id, latin.dictionary ORDER BY memory_id, count(*) DESC, min(place)
    ),
    lexemes AS (
      SELECT memory_id, field, position, CASE WHEN w.dictionary IS NULL THEN word ELSE
        (ts_lexize(coalesce(nullif(w.dictionary, ''), l.dictionary, '${DEFAULT_DICTIONARY}')::regdictionary, word))[1] END AS lexeme
      FROM words w LEFT JOIN languages l USING (memory_id)
    ),
    -- Stop words leave no gap; between two fields there is one.
    places AS (
      SELECT memory_id, field, lexeme,
        field + dense_rank() OVER (PARTITION BY memory_id ORDER BY field, position) AS place
      FROM lexemes WHERE lexeme IS NOT NULL
    ),
    vectors AS (
      SELECT memory_id, string_agg(
        ${quotedLexeme("lexeme")} || ':' || place ||
          CASE field WHEN 0 THEN CASE WHEN place <= ${OPENING_WORDS} THEN 'A' ELSE 'B' END WHEN 1 THEN 'C' ELSE 'D' END, ' '
      )::tsvector AS vector
      FROM places GROUP BY memory_id
    ),
    scopes AS (
      SELECT memory_id, array_to_tsvector(array_agg(lexeme)) AS vector
      FROM unnest($7::uuid[], $8::text[]) AS s (memory_id, lexeme) GROUP BY memory_id
    )
    INSERT INTO memory_search_vectors (memory_id, dictionary, vector)
    SELECT memory_id, coalesce(l.dictionary, '${DEFAULT_DICTIONARY}'), coalesce(v.vector, '') || s.vector
    FROM unnest($1::uuid[]) AS m (memory_id) JOIN scopes s USING (memory_id)
      LEFT JOIN vectors v USING (memory_id) LEFT JOIN languages l USING (memory_id)
    ON CONFLICT (memory_id) DO UPDATE SET vector = EXCLUDED.vector, dictionary = EXCLUDED.dictionary`,
});

/** Has memories found by these vectors from now on. The memories have to be new or locked. */
export async function storeSearchVectors(db: Queryable, vectors: readonly SearchVector[]): Promise<void> {
  const words = vectors.flatMap(({ memoryId, words: own }) => own.map((word) => ({ ...word, memoryId })));
  const scopes = vectors.flatMap(({ memoryId, scopes: own }) => own.map((lexeme) => ({ memoryId, lexeme })));
  await storedVectors.run(db, [
    vectors.map(({ memoryId }) => memoryId),
    words.map(({ memoryId }) => memoryId),
    words.map(({ field }) => field),
    words.map(({ position }) => position),
    words.map(({ text }) => text),
    words.map(({ dictionary }) => dictionary),
    scopes.map(({ memoryId }) => memoryId),
    scopes.map(({ lexeme }) => lexeme),
  ]);
}
