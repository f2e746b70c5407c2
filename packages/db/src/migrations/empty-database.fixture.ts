import { randomUUID } from "node:crypto";
import { escapeIdentifier, type PoolConfig } from "pg";
import { inject, onTestFinished } from "vitest";
import { query } from "../embedded/test-kit/queries.ts";

/** A database without tables, dropped after the test. */
export async function createEmptyDatabase(): Promise<PoolConfig> {
  const address = inject("testCluster");
  const administrator = { ...address, database: "postgres" };
  const database = `empty_${randomUUID()}`;
  await query(administrator, `CREATE DATABASE ${escapeIdentifier(database)} TEMPLATE template0`);
  onTestFinished(async () => {
    await query(administrator, `DROP DATABASE ${escapeIdentifier(database)} WITH (FORCE)`);
  });
  return { ...address, database };
}
