import { join } from "node:path";
import { defaultMigrationsDir } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { onTestFinished } from "vitest";
import { restore, type RestoreOptions, type RestoreResult } from "../restore.ts";
import { KEY_FILES } from "./test-workspace.ts";

/** A database to restore into, which is removed after the test. */
export async function createTarget(): Promise<TestDatabase> {
  const target = await createTestDatabase();
  onTestFinished(() => target.close());
  return target;
}

/** Restores a backup into a database and a data folder, with the vault in it unless it is told otherwise. */
export function restoreInto(
  target: TestDatabase,
  options: Partial<RestoreOptions> & Pick<RestoreOptions, "repository" | "backupId" | "dataDir">,
): Promise<RestoreResult> {
  return restore({
    vaultRoot: join(options.dataDir, "vault"),
    databaseUrl: target.url,
    openDatabase: () => Promise.resolve({ config: target.poolConfig, close: () => Promise.resolve() }),
    migrationsDir: defaultMigrationsDir(),
    keyFiles: KEY_FILES,
    log: { info() {}, warn() {}, error() {} },
    replaces: false,
    now: new Date(),
    ...options,
  });
}
