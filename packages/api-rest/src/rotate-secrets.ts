import { mkdir } from "node:fs/promises";
import { openSecrets, rotateSecrets, systemClock, uuidV7, type Logger, type SecretRotation } from "@workspace/core";
import { openDatabase } from "./database.ts";
import { createEncryptionKeyStore } from "./encryption-key-store.ts";
import type { Config } from "./env.ts";

export interface RotateSecretsOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly migrationsDir: string;
  readonly onWaiting: (message: string) => void;
}

/**
 * Encrypts all stored secrets with a new key, without serving. Needs the data directory for itself, so it throws
 * DataDirInUseError while the service runs; then the same is done by `POST /api/secrets/rotate`.
 */
export async function rotateStoredSecrets({ config, ...rest }: RotateSecretsOptions): Promise<SecretRotation> {
  const { dataDir, databaseUrl } = config;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
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
