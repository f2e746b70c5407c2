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

/**
 * Throws {@link BackupError} while a restore into a data folder has not finished: what is there is incomplete. `placeOptions` are what
 * the command that repeats it needs to find the folder.
 */
export async function assertNoRestore(dataDir: string, placeOptions = ""): Promise<void> {
  const restore = await readRestoreMarker(dataDir);
  if (restore === null) return;
  throw new BackupError(
    `A restore into ${dataDir} was interrupted. Repeat it: npx workspace restore ${restore.backupId} --from FOLDER${placeOptions}`,
  );
}
