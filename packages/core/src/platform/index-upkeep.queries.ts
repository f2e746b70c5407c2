import { defineCommand, type Queryable } from "@workspace/db";

const mergedEntries = defineCommand({
  name: "merge-pending-index-entries",
  text: `
    SELECT gin_clean_pending_list(index.oid) FROM pg_class index JOIN pg_am method ON method.oid = index.relam
    WHERE method.amname = 'gin' AND index.relkind = 'i' AND index.relnamespace = current_schema()::regnamespace`,
});

/**
 * Moves the entries that a GIN index keeps in a list of new ones to their places. Each search reads that list from end to end,
 * and a write that makes it too long would do the same work, for up to a second, while a client waits.
 */
export async function mergePendingIndexEntries(db: Queryable): Promise<void> {
  await mergedEntries.run(db);
}
