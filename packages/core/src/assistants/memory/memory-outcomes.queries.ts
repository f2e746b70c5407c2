import { column, defineQuery, type Queryable } from "@workspace/db";
import type { MemoryOutcomes } from "./usefulness.ts";

const outcomes = defineQuery({
  name: "select-memory-outcomes",
  row: {
    memoryId: column.uuid,
    used: column.safeInteger.neverNull,
    unused: column.safeInteger.neverNull,
    notUseful: column.safeInteger.neverNull,
  },
  isPrepared: true,
  text: `
    SELECT memory_id AS "memoryId", count(*) FILTER (WHERE used_at IS NOT NULL AND not_useful_at IS NULL) AS used,
           count(*) FILTER (WHERE used_at IS NULL AND is_use_visible AND not_useful_at IS NULL) AS unused,
           count(not_useful_at) AS "notUseful"
    FROM memory_injections WHERE memory_id = ANY($1::uuid[]) GROUP BY memory_id`,
});

/** What became of those of the memories that were given to a session. */
export async function selectMemoryOutcomes(
  db: Queryable,
  memoryIds: readonly string[],
): Promise<Map<string, MemoryOutcomes>> {
  return new Map((await outcomes.all(db, [memoryIds])).map(({ memoryId, ...counts }) => [memoryId, counts]));
}
