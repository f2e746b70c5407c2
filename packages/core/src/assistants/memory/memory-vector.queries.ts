import { defineCommand, type Queryable } from "@workspace/db";
import { isSpelled, SEARCH_VECTORS, vectorParameters } from "../../platform/search/search-vector.queries.ts";
import type { MemorySearchVector } from "./memory-vector.ts";

/** `SEARCH_VECTORS`, which also adds words that no memory has had so far. */
export const MEMORY_SEARCH_VECTORS = `${SEARCH_VECTORS},
    new_words AS (
      INSERT INTO memory_search_words (word)
      SELECT DISTINCT lexeme FROM lexemes
      WHERE ${isSpelled("lexeme")} AND NOT EXISTS (SELECT FROM memory_search_words WHERE word = lexeme COLLATE "C")
    )`;

const storedVectors = defineCommand({
  name: "store-search-vectors",
  text: `
    WITH ${MEMORY_SEARCH_VECTORS}
    INSERT INTO memory_search_vectors (memory_id, dictionary, vector)
    SELECT memory_id, dictionary, vector
    FROM unnest($8::uuid[]) WITH ORDINALITY AS m (memory_id, number) JOIN search_vectors USING (number)
    ON CONFLICT (memory_id) DO UPDATE SET vector = EXCLUDED.vector, dictionary = EXCLUDED.dictionary`,
});

/** Has memories found by these vectors from now on. The memories have to be new or locked. */
export async function storeSearchVectors(db: Queryable, vectors: readonly MemorySearchVector[]): Promise<void> {
  await storedVectors.run(db, [...vectorParameters(vectors), vectors.map(({ memoryId }) => memoryId)]);
}
