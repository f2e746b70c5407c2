import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { BackupError } from "./backup-error.ts";
import { placeFile, syncFolder } from "./storage/durable-file.ts";

const FILE_NAME = "restore-in-progress.json";

const markerSchema = z.object({
  backupId: z.string(),
  vaultRoot: z.string(),
  databaseUrl: z.string().nullable(),
  /** `moving`: what was there is being moved away. `writing`: whatever is there was written by the restore. */
  phase: z.enum(["moving", "writing"]),
  /** Part of the name of what was moved away. */
  stamp: z.string(),
  /** Those of the command line with which it is repeated, besides its place; earlier versions did not record them. */
  repeatOptions: z.string().optional(),
});

/** A restore that has not finished. As long as it is recorded in a data folder, the service does not start with that folder. */
export type RestoreMarker = z.output<typeof markerSchema>;

/** The restore that has not finished in a data folder; null if there is none. */
export async function readRestoreMarker(dataDir: string): Promise<RestoreMarker | null> {
  const text = await readFile(join(dataDir, FILE_NAME), "utf8").catch(() => null);
  return text === null ? null : markerSchema.parse(JSON.parse(text));
}

/** Records a restore, durably. */
export async function writeRestoreMarker(dataDir: string, marker: RestoreMarker): Promise<void> {
  await placeFile(join(dataDir, FILE_NAME), Buffer.from(`${JSON.stringify(marker, null, 2)}\n`));
  await syncFolder(dataDir);
}

/** Records that a restore has finished. */
export async function removeRestoreMarker(dataDir: string): Promise<void> {
  await syncFolder(dataDir);
  await rm(join(dataDir, FILE_NAME), { force: true });
  await syncFolder(dataDir);
}

/** The command that repeats a restore into a data folder. */
export function describeRepeat(dataDir: string, marker: RestoreMarker): string {
  const { backupId, vaultRoot, databaseUrl, repeatOptions = "--from FOLDER" } = marker;
  const command = `npx workspace restore ${backupId} ${repeatOptions}`;
  const isElsewhere = vaultRoot !== join(dataDir, "vault");
  // The option for the data folder is for the embedded database.
  return databaseUrl === null
    ? [command, `--data-dir ${quoted(dataDir)}`, ...(isElsewhere ? [`--vault ${quoted(vaultRoot)}`] : [])].join(" ")
    : [`DATA_DIR=${quoted(dataDir)}`, ...(isElsewhere ? [`VAULT_PATH=${quoted(vaultRoot)}`] : []), command].join(" ");
}

/** For a shell. */
export function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Throws {@link BackupError} while a restore into a data folder has not finished: what is there is incomplete. */
export async function assertNoRestore(dataDir: string): Promise<void> {
  const restore = await readRestoreMarker(dataDir);
  if (restore === null) return;
  const repeat = describeRepeat(dataDir, restore);
  throw new BackupError(`A restore into ${dataDir} was interrupted. Repeat it: ${repeat}`);
}
