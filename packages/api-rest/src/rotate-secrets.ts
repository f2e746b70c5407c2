import {
  openSecrets,
  rotateSecretsByCommand,
  systemClock,
  uuidV7,
  type Logger,
  type SecretRotation,
} from "@workspace/core";
import { openDatabase } from "./database.ts";
import { createEncryptionKeyStore } from "./encryption-key-store.ts";
import type { Config } from "./env.ts";
import { prepareFolders } from "./folders.ts";
import { assertEmbeddedWorkspace } from "./embedded-workspace.ts";

export interface RotateSecretsOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly migrationsDir: string;
  readonly onWaiting: (message: string) => void;
}

/**
 * Encrypts all stored secrets with a new key, without starting the service, which drops the former key at its next start. Needs
 * exclusive use of the data directory, so it throws DataDirInUseError while the service is running; `POST /api/secrets/rotate` does
 * the same then. Throws StartError if there is no workspace.
 */
export async function rotateStoredSecrets({ config, ...rest }: RotateSecretsOptions): Promise<SecretRotation> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === null) await assertEmbeddedWorkspace(dataDir);
  await prepareFolders(config);
  const database = await openDatabase({ dataDir, databaseUrl, ...rest });
  try {
    const deps = { db: database.db, clock: systemClock, ids: uuidV7 };
    const keyStore = createEncryptionKeyStore(config.encryptionKeys, dataDir);
    const { keys } = await openSecrets({ ...deps, keyStore });
    return await rotateSecretsByCommand({ ...deps, keys });
  } finally {
    await database.close();
  }
}

/** What becomes of the former key after a rotation, as the end of a sentence; empty if a person manages the keys. */
export function describeFormerKey({ encryptionKeys }: Pick<Config, "encryptionKeys">): string {
  return encryptionKeys === null ? "; the next start of the service drops the former one" : "";
}
