import { openSecrets, rotateSecrets, systemClock, uuidV7, type Logger, type SecretRotation } from "@workspace/core";
import { openDatabase } from "./database.ts";
import { createEncryptionKeyStore } from "./encryption-key-store.ts";
import type { Config } from "./env.ts";
import { prepareFolders } from "./folders.ts";

export interface RotateSecretsOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly migrationsDir: string;
  readonly onWaiting: (message: string) => void;
}

/**
 * Encrypts all stored secrets with a new key, without starting the service. Needs exclusive use of the data directory, so it
 * throws DataDirInUseError while the service is running; `POST /api/secrets/rotate` does the same then.
 */
export async function rotateStoredSecrets({ config, ...rest }: RotateSecretsOptions): Promise<SecretRotation> {
  const { dataDir, databaseUrl } = config;
  await prepareFolders(config);
  const database = await openDatabase({ dataDir, databaseUrl, ...rest });
  try {
    const deps = { db: database.db, clock: systemClock, ids: uuidV7 };
    const keyStore = createEncryptionKeyStore(config.encryptionKeys, dataDir);
    const { keys } = await openSecrets({ ...deps, keyStore });
    return await rotateSecrets({ ...deps, keys }, "command");
  } finally {
    await database.close();
  }
}
