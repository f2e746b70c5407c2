import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";

const INDEX = "memory_embeddings_signature_hnsw_idx";
/** 0.8 is the first release that goes on searching until it has found as many as are wanted. */
const MINIMUM_MINOR = 8;

const support = defineQuery({
  name: "select-vector-index-support",
  row: {
    version: column.text.nullable,
    isInstalled: column.boolean.neverNull,
    hasIndex: column.boolean.neverNull,
    isUnfinished: column.boolean.neverNull,
  },
  text: `
    SELECT coalesce(extversion, default_version) AS version, extname IS NOT NULL AS "isInstalled",
      index.indexrelid IS NOT NULL AS "hasIndex",
      NOT coalesce(indisvalid, true) AND NOT EXISTS (
        SELECT FROM pg_stat_progress_create_index WHERE relid = 'memory_embeddings'::regclass
      ) AS "isUnfinished"
    FROM (SELECT 1) AS one LEFT JOIN pg_available_extensions ON name = 'vector' LEFT JOIN pg_extension ON extname = 'vector'
      LEFT JOIN pg_index index ON index.indexrelid = to_regclass('${INDEX}')`,
});

const createdExtension = defineCommand({
  name: "create-vector-extension",
  text: "CREATE EXTENSION IF NOT EXISTS vector",
});

const createdIndex = defineCommand({
  name: "create-vector-index",
  text: `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${INDEX} ON memory_embeddings USING hnsw (signature bit_hamming_ops)`,
});

const droppedIndex = defineCommand({
  name: "drop-vector-index",
  text: `DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`,
});

/**
 * Where the server has pgvector, creates the index by which `closest_memories` finds similar memories without comparing all of
 * them. Reads and writes go on meanwhile. One that was left unfinished is made again.
 */
export async function createVectorIndex(db: Queryable): Promise<void> {
  const { version, isInstalled, hasIndex, isUnfinished } = await support.one(db);
  if (version === null || !isSufficient(version) || (hasIndex && !isUnfinished)) return;
  if (!isInstalled) await createdExtension.run(db);
  if (isUnfinished) await droppedIndex.run(db);
  await createdIndex.run(db);
}

function isSufficient(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 0 || minor >= MINIMUM_MINOR;
}
