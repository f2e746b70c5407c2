import type { Db, Listener } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { IdGenerator } from "../platform/ids.ts";
import { openEncryptionKeys, type EncryptionKeys, type EncryptionKeyStore } from "./encryption-keys.ts";
import { openSecret } from "./secret-box.ts";
import { createSecretRedactor, type SecretRedactor } from "./secret-redactor.ts";
import { verifySecrets } from "./secret-rotation.ts";
import { selectSealedSecrets } from "./secret.queries.ts";

/** Where a trigger tells all processes that a secret was stored, changed or deleted. */
const SECRETS_CHANNEL = "workspace_secrets";

export interface OpenSecretsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly keyStore: EncryptionKeyStore;
}

/** What the whole process needs of secrets before it does anything else. */
export interface OpenedSecrets {
  readonly keys: EncryptionKeys;
  readonly redactor: SecretRedactor;
}

/** Throws SecretsLockedError where a stored secret does not open with the keys of the store. */
export async function openSecrets({ db, clock, ids, keyStore }: OpenSecretsOptions): Promise<OpenedSecrets> {
  const keys = await openEncryptionKeys(keyStore);
  await verifySecrets({ db, clock, ids, keys });
  const redactor = createSecretRedactor(async () => {
    const secrets = await selectSealedSecrets(db.pool);
    return secrets.map(({ key, envelope }) => ({ key, value: openSecret(keys.find, key, envelope) }));
  });
  await redactor.refresh();
  return { keys, redactor };
}

/** Keeps a redactor up to date with what other processes do. */
export async function followSecretChanges(
  listener: Listener,
  redactor: SecretRedactor,
  onError: (error: unknown) => void,
): Promise<void> {
  const refresh = (): void => void redactor.refresh().catch(onError);
  await listener.listen(SECRETS_CHANNEL, refresh);
  // What was announced while nobody listened is caught up with.
  listener.onConnectionChange((isListening) => {
    if (isListening) refresh();
  });
}
