import { join } from "node:path";
import { mkdir, writeFile } from "node:fs/promises";
import { newDataDir } from "../embedded/test-kit/data-dirs.ts";
import { defaultMigrationsDir } from "../package-files.ts";
import { type Migration, readMigrationFolder } from "./migration-folder.ts";

/** The migrations of this package, in order. */
export async function readCommittedMigrations(): Promise<readonly Migration[]> {
  return (await readMigrationFolder(defaultMigrationsDir())).migrations;
}

/** A folder with the migrations before the one with this title, for a database as an earlier release left it. */
export async function newMigrationsDirBefore(nameEnding: string): Promise<string> {
  const migrations = await readCommittedMigrations();
  const earlier = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name.endsWith(nameEnding)),
  );
  return newMigrationsDir(Object.fromEntries(earlier.map(({ name, sql }) => [name, sql])));
}

/** A folder with these migrations, by name, that is removed after the test. */
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
