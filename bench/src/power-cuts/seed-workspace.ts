import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDb, migrate, type PoolConfig } from "@workspace/db";
import { seedHookEvents, seedTasks } from "../seed.ts";
import { writeNotes } from "../vault-notes.ts";
import { SILENT_LOG } from "./rounds.ts";

const TASKS = 3000;
const EVENTS = 10_000;
const NOTES = 300;

/** Fills an empty database. */
export async function seedDatabase(config: PoolConfig): Promise<void> {
  await migrate(config, { log: SILENT_LOG });
  const { pool, close } = createDb(config, { log: SILENT_LOG });
  try {
    await pool.query(
      `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
      VALUES ('0190a000-0000-7000-8000-000000000001', 'Ada', 'ada@example.org', true, now(), now())`,
    );
    await seedTasks(pool, TASKS);
    await seedHookEvents(pool, EVENTS);
  } finally {
    await close();
  }
}

/** Writes notes, and keys into the data folder. */
export async function seedFiles(vault: string, dataDir: string): Promise<void> {
  await mkdir(vault, { recursive: true });
  await mkdir(dataDir, { recursive: true });
  await writeNotes(vault, 0, NOTES, 1);
  for (const name of ["encryption-key", "service-secret"])
    await writeFile(join(dataDir, name), `${name} of the bench\n`);
}
