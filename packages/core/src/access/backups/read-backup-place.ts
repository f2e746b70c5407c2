import type { Deps } from "../../platform/deps.ts";
import { createEventBus } from "../../platform/events.ts";
import type { EncryptionKeyStore } from "../secrets/encryption-keys.ts";
import { openSecrets } from "../secrets/open-secrets.ts";
import { createOwnedSecrets } from "../secrets/owned-secrets.ts";
import { createSecretService } from "../secrets/secret.service.ts";
import type { BackupPlace } from "./backup-engine.ts";
import { OWNED_PREFIX, readBackupSettings } from "./backup-settings.service.ts";
import { openPlace, type EnvironmentBackup } from "./open-place.ts";

export interface ReadBackupPlaceOptions extends Deps<"db" | "clock" | "ids"> {
  readonly keyStore: EncryptionKeyStore;
  readonly environment: EnvironmentBackup;
  /** Instead of what is chosen; null for that. */
  readonly passphrase: string | null;
}

/**
 * Where the service stores backups, for a command; null if nobody has chosen. Throws ConflictError if a secret for it is gone, and what
 * `openSecrets` throws if the keys of the workspace are not there.
 */
export async function readBackupPlace(options: ReadBackupPlaceOptions): Promise<BackupPlace | null> {
  const { environment, passphrase } = options;
  const { value } = await readBackupSettings(options.db);
  return passphrase === null
    ? openPlace(value, environment, (key) => readSecret(options, key))
    : openPlace({ ...value, passphraseKey: null }, { ...environment, passphrase }, (key) => readSecret(options, key));
}

async function readSecret(options: ReadBackupPlaceOptions, key: string): Promise<string | undefined> {
  const events = createEventBus(() => undefined);
  const secrets = createSecretService({ ...options, events, ...(await openSecrets(options)) });
  return createOwnedSecrets({ ...options, secrets, prefix: OWNED_PREFIX, reader: "command:backups" }).read(key);
}
