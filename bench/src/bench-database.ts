import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDb, migrate, startEmbeddedPostgres, type Db } from "@workspace/db";

const log = { info() {}, warn: console.warn, error: console.error };

/** Runs a bench on its own embedded database, migrated and with default settings, and removes it afterwards. */
export async function withBenchDatabase(
  work: (db: Db, dataDir: string) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "workspace-bench-"));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings });
    const db = createDb(postgres.poolConfig, { log });
    try {
      await migrate(postgres.poolConfig, { log });
      await work(db, dataDir);
    } finally {
      await db.close();
      await postgres.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
