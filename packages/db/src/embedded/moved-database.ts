import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { errorCode } from "../system-error.ts";
import { syncPath } from "../sync-path.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** A readable note in the data directory of a workspace whose database was moved to another server: two lines, the first names it. */
const FILE_NAME = "database-moved.txt";

/** Where the database of a data directory was moved to, such as `db.example.org:5432/workspace`; null if it was not. */
export async function readMovedTo(dataDir: string): Promise<string | null> {
  try {
    const text = await readFile(join(dataDir, FILE_NAME), "utf8");
    return text.split("\n", 1)[0]?.replace(/^.* moved to /, "") ?? "";
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Records durably where the database was moved to. From then on no embedded one is started in the data directory. */
export async function writeMovedTo(dataDir: string, place: string): Promise<void> {
  const text = `The database of this workspace was moved to ${place}\nThe service and its commands find it by DATABASE_URL.\n`;
  const draft = join(dataDir, `.${randomBytes(8).toString("hex")}.tmp`);
  await writeFile(draft, text, { mode: 0o600, flag: "wx" });
  await syncPath(draft);
  await rename(draft, join(dataDir, FILE_NAME));
  await syncPath(dataDir);
}

/** Forgets that the database was moved, durably. */
export async function removeMovedTo(dataDir: string): Promise<void> {
  await rm(join(dataDir, FILE_NAME), { force: true });
  await syncPath(dataDir);
}

/**
 * Throws {@link EmbeddedPostgresError} if the database of a data directory was moved to another server: whatever is embedded there is
 * not that of the workspace, although the keys are.
 */
export async function assertNotMoved(dataDir: string): Promise<void> {
  const place = await readMovedTo(dataDir);
  if (place === null) return;
  throw new EmbeddedPostgresError(
    `The database of the workspace in ${dataDir} was moved to ${place}. Set DATABASE_URL to it, as the service has it, ` +
      "and DATA_DIR instead of --data-dir. To go back, set it and run `npx workspace move-database --to embedded`. " +
      `If that database is gone for good, remove ${join(resolve(dataDir), FILE_NAME)}.`,
  );
}
