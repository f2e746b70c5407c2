import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LOCK_FILE, SCRIPT_FILE_NAME } from "./migration-folder.ts";

interface NewMigration {
  /** Describes in a few words what it does; becomes part of its name. */
  readonly title: string;
  readonly sql: string;
  /** Determines its position among the others. */
  readonly createdAt: Date;
}

/** Adds a migration to the folder, which is created if it is missing, and returns its name. Rejects if the name is taken. */
export async function writeMigration(migrationsDir: string, { title, sql, createdAt }: NewMigration): Promise<string> {
  const name = `${timestamp(createdAt)}_${slug(title)}`;
  const dir = join(migrationsDir, name);
  await mkdir(migrationsDir, { recursive: true });
  await mkdir(dir);
  await writeFile(join(dir, SCRIPT_FILE_NAME), sql);
  await writeFile(join(migrationsDir, LOCK_FILE.name), LOCK_FILE.content);
  return name;
}

/** `20260102030405`, in UTC. */
function timestamp(time: Date): string {
  return time.toISOString().replaceAll(/\D/g, "").slice(0, 14);
}

function slug(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g);
  if (words === null) throw new Error("A migration needs a name of letters or digits.");
  return words.join("_");
}
