import { join } from "node:path";
import { mkdir, writeFile } from "node:fs/promises";
import { newDataDir } from "../embedded/test-kit/data-dirs.ts";

/** A folder of migrations, by name, that is removed after the test. */
export async function newMigrationsDir(scripts: Record<string, string>): Promise<string> {
  const dir = await newDataDir();
  await putMigrations(dir, scripts);
  return dir;
}

/** Adds migrations to a folder, or replaces their SQL. */
export async function putMigrations(dir: string, scripts: Record<string, string>): Promise<void> {
  for (const [name, sql] of Object.entries(scripts)) {
    await mkdir(join(dir, name), { recursive: true });
    await writeFile(join(dir, name, "migration.sql"), sql);
  }
}
