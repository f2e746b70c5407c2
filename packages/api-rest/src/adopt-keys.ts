import { adoptEncryptionKey, adoptSigningSecret, openEncryptionKeys, systemClock } from "@workspace/core";
import { openDatabase } from "./database.ts";
import { createEncryptionKeyStore } from "./encryption-key-store.ts";
import { assertEmbeddedWorkspace } from "./embedded-workspace.ts";
import { prepareFolders } from "./folders.ts";
import { openSigningSecret } from "./open-signing-secret.ts";
import type { RotateSecretsOptions } from "./rotate-secrets.ts";

/**
 * Makes the currently configured keys those of the database: the deliberate way to change them. Throws SecretsLockedError,
 * with nothing changed, if a stored secret needs another encryption key, and StartError if there is no workspace.
 */
export async function adoptKeys({ config, ...rest }: RotateSecretsOptions): Promise<void> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === null) await assertEmbeddedWorkspace(dataDir);
  await prepareFolders(config);
  const database = await openDatabase({ dataDir, databaseUrl, ...rest });
  try {
    const deps = { db: database.db, clock: systemClock };
    const keys = await openEncryptionKeys(createEncryptionKeyStore(config.encryptionKeys, dataDir));
    await adoptEncryptionKey({ ...deps, keys });
    await adoptSigningSecret(deps, await openSigningSecret(config));
  } finally {
    await database.close();
  }
}
