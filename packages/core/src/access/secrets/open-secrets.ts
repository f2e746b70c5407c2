import type { Listener } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { openEncryptionKeys, type EncryptionKeys, type EncryptionKeyStore } from "./encryption-keys.ts";
import { openSecret } from "./secret-box.ts";
import { createSecretRedactor, type SecretRedactor } from "./secret-redactor.ts";
import { verifySecrets } from "./secret-rotation.ts";
import { selectSealedSecrets } from "./secret.queries.ts";

/** A trigger notifies all processes on this channel when a secret is created, changed or deleted. */
const SECRETS_CHANNEL = "workspace_secrets";

export interface OpenSecretsOptions extends Deps<"db" | "clock" | "ids"> {
  readonly keyStore: EncryptionKeyStore;
  /** See {@link verifySecrets}. */
  readonly dropsOlderKeys?: boolean;
}

/** What the process needs before anything else can run. */
export interface OpenedSecrets {
  readonly keys: EncryptionKeys;
  readonly redactor: SecretRedactor;
}

/** Throws SecretsLockedError if a stored secret cannot be decrypted with the keys of the store. */
export async function openSecrets({ keyStore, ...options }: OpenSecretsOptions): Promise<OpenedSecrets> {
  const { db } = options;
  const keys = await openEncryptionKeys(keyStore);
  await verifySecrets({ ...options, keys });
  const redactor = createSecretRedactor(async () => {
    const secrets = await selectSealedSecrets(db.pool);
    return secrets.map(({ key, envelope }) => ({ key, value: openSecret(keys.find, key, envelope) }));
  });
  await redactor.refresh();
  return { keys, redactor };
}

/** Refreshes a redactor whenever any process changes a secret. */
export async function followSecretChanges(
  listener: Listener,
  redactor: SecretRedactor,
  onError: (error: unknown) => void,
): Promise<void> {
  const refresh = (): void => void redactor.refresh().catch(onError);
  await listener.listen(SECRETS_CHANNEL, refresh);
  // Catches up on changes announced while the connection was down.
  listener.onConnectionChange((isListening) => {
    if (isListening) refresh();
  });
}
