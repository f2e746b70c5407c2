import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import type { Queryable } from "@workspace/db";
import { createTestDatabase } from "@workspace/db/testing";
import { expect, onTestFinished, test } from "vitest";
import { createVectorIndex } from "./memory-vector-index.queries.ts";

const MIGRATION = "packages/db/prisma/migrations/20261123114000_closest_memories/migration.sql";

/** 2,000 signatures of 40 matters: those of one matter differ in a quarter of their bits, others in half of them. */
const SIGNATURES = `
  INSERT INTO memory_embeddings
  SELECT gen_random_uuid(), 'space', number::text, NULL, bits('matter', number % 40) # (bits('a', number) & bits('b', number))
  FROM generate_series(1, 2000) AS number`;
const BITS = `
  CREATE FUNCTION bits(kind text, number int) RETURNS bit(1024) LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(('x' || md5(kind || number || part))::bit(128)::text, '')::bit(1024) FROM generate_series(1, 8) AS part
  $$`;
const OF_MATTER_7 = `SELECT content_key, distance FROM closest_memories(bits('matter', 7), 'space', 20) ORDER BY distance`;

/** A PostgreSQL that has pgvector, with the table of signatures alone. */
async function createServer(): Promise<PGlite> {
  const server = await PGlite.create({ extensions: { vector } });
  onTestFinished(() => server.close());
  await server.exec(
    "CREATE TABLE memory_embeddings (memory_id uuid, space text, content_key text, project_path text, signature bit(1024))",
  );
  await server.exec(await readFile(join(import.meta.dirname, "../../../../..", MIGRATION), "utf8"));
  await server.exec(BITS);
  await server.exec(SIGNATURES);
  return server;
}

test("pgvector finds what comparing all signatures finds, as long as it is there", async () => {
  const server = await createServer();
  const { rows: compared } = await server.query(OF_MATTER_7);
  expect(compared).toHaveLength(20);

  // Statements are sent in the same way, but its types are others.
  await createVectorIndex(server as unknown as Queryable);
  const { rows: plan } = await server.query<{ "QUERY PLAN": string }>(
    "EXPLAIN SELECT FROM memory_embeddings ORDER BY signature <~> bits('matter', 7) LIMIT 20",
  );
  expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("memory_embeddings_signature_hnsw_idx");
  const { rows: found } = await server.query(OF_MATTER_7);
  expect(found).toHaveLength(20);
  const inBoth = found.filter((row) => compared.some((other) => isSame(row, other)));
  expect(inBoth.length).toBeGreaterThanOrEqual(18);

  await server.exec("DROP EXTENSION vector CASCADE");
  expect((await server.query(OF_MATTER_7)).rows).toEqual(compared);
});

test("a server without pgvector stays as it is", async () => {
  const { db, close } = await createTestDatabase();
  onTestFinished(close);
  await createVectorIndex(db.pool);
  const { rows } = await db.pool.query("SELECT to_regclass('memory_embeddings_signature_hnsw_idx') AS index");
  expect(rows).toEqual([{ index: null }]);
});

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
