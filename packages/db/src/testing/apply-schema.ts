import { inject } from "vitest";
import type { Db } from "../db.ts";
import { findSchemaDrift } from "../migrations/schema-drift.ts";

/**
 * Brings an empty, migrated test database up to schema.prisma if the migrations lack something, which is the case while the schema
 * is being edited and its migration has not been written yet.
 */
export async function applySchema(db: Db): Promise<void> {
  const missing = await findSchemaDrift({ server: inject("testCluster") });
  if (missing !== undefined) await db.pool.query(missing);
}
