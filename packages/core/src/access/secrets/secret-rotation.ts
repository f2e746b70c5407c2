import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { EncryptionKeys } from "./encryption-keys.ts";
import { keyIdOf, openSecret, SecretBoxError, sealSecret } from "./secret-box.ts";
import {
  findOrRecordCurrentKeyId,
  insertAccess,
  replaceEnvelope,
  selectSealedSecrets,
  selectSealedSecretsForUpdate,
  setCurrentKey,
  type SealedSecret,
} from "./secret.queries.ts";
import type { SecretRotation } from "./secret.schema.ts";
import { replaceSealedSetting, selectSealedSettingsForUpdate } from "./sealed-setting.queries.ts";
import { WrongKeyError } from "./wrong-key-error.ts";

const WRONG_KEY =
  "This process does not have the encryption key that belongs to the database: give it the same SERVICE_ENCRYPTION_KEY (or " +
  "the file encryption-key of the first DATA_DIR), or stop all processes and run `npm start -- adopt-keys` to change the key " +
  "for good, which it does only while no stored secret needs the other one.";

/** How many of the secrets that cannot be decrypted are named. */
const MAX_NAMED = 5;

/** Stored secrets cannot be decrypted with the configured keys. The message is meant for the operator. */
export class SecretsLockedError extends Error {
  override readonly name = "SecretsLockedError";
}

export interface SecretRotationDeps extends Deps<"db" | "clock" | "ids"> {
  readonly keys: EncryptionKeys;
}

/**
 * Must be called before anything else is done with secrets. Throws {@link SecretsLockedError} unless every stored secret can be
 * decrypted, and {@link WrongKeyError} unless this process has the key that the others encrypt with, in both cases without
 * saving a new key; then finishes a rotation that a crash has interrupted. Only the service itself drops the older keys after
 * that: a command may have been given another database than the service has.
 */
export async function verifySecrets(deps: SecretRotationDeps & { readonly dropsOlderKeys?: boolean }): Promise<void> {
  const { db, clock, keys, dropsOlderKeys = false } = deps;
  const secrets = await selectSealedSecrets(db.pool);
  assertOpen(keys, secrets);
  const oldest = secrets.map(({ envelope }) => keyIdOf(envelope)).find((id) => id !== keys.newest.id);
  await transaction(db.pool, async (client) => {
    const currentId = await findOrRecordCurrentKeyId(client, oldest ?? keys.newest.id, clock.now());
    if (keys.find(currentId) === undefined) throw new WrongKeyError(WRONG_KEY);
    // Before the commit, so that a crash never leaves a database whose key is lost.
    await keys.save();
  });
  if (keys.hasOlder && keys.canReplace) {
    await reencrypt(deps, "service");
    if (dropsOlderKeys) await dropOlderKeys(deps);
    return;
  }
  // If the keys come from the environment, rotating to the newest is up to the person who set them.
  const needsOlder = secrets.some(({ envelope }) => keyIdOf(envelope) !== keys.newest.id);
  if (!needsOlder) await transaction(db.pool, (client) => setCurrentKey(client, keys.newest.id, clock.now()));
}

/**
 * Makes the newest key the current one of the database, whatever it was before. Throws {@link SecretsLockedError} if a stored
 * secret cannot be decrypted, since it never could be again.
 */
export async function adoptEncryptionKey({ db, clock, keys }: Omit<SecretRotationDeps, "ids">): Promise<void> {
  assertOpen(keys, await selectSealedSecrets(db.pool));
  await keys.save();
  await transaction(db.pool, (client) => setCurrentKey(client, keys.newest.id, clock.now()));
}

/**
 * Re-encrypts all secrets with a new key or, if the keys come from the environment, with the newest one there. Throws
 * ConflictError if the environment holds no older key as well. A crash at any moment loses nothing: the new key is stored
 * durably before any secret needs it, the secrets change in one transaction, and the old key is removed last, once all secrets
 * open without it.
 */
export async function rotateSecrets(deps: SecretRotationDeps, actor: string): Promise<SecretRotation> {
  const { keys } = deps;
  // If there are older keys, the newest is left over from a rotation that did not finish.
  if (!keys.hasOlder) await keys.addNew();
  const rotated = await reencrypt(deps, actor);
  await dropOlderKeys(deps);
  return { rotated, keyId: keys.newest.id };
}

/**
 * Like {@link rotateSecrets}, but leaves the older keys to the next start of the service, which drops them once all secrets of its
 * database open without them.
 */
export async function rotateSecretsByCommand(deps: SecretRotationDeps): Promise<SecretRotation> {
  const { keys } = deps;
  if (keys.canReplace || !keys.hasOlder) await keys.addNew();
  const rotated = await reencrypt(deps, "command");
  return { rotated, keyId: keys.newest.id };
}

/** Throws {@link SecretsLockedError}, with all keys still there, if a stored secret needs one of them. */
async function dropOlderKeys({ db, keys }: SecretRotationDeps): Promise<void> {
  const { newest } = keys;
  assertOpen({ find: (id) => (id === newest.id ? newest : undefined) }, await selectSealedSecrets(db.pool));
  await keys.dropOlder();
}

async function reencrypt({ db, clock, ids, keys }: SecretRotationDeps, actor: string): Promise<number> {
  const createdAt = clock.now();
  const { newest, find } = keys;
  return transaction(db.pool, async (client) => {
    // First, because a transaction that stores a secret locks the current key until it commits.
    await setCurrentKey(client, newest.id, createdAt);
    const secrets = await selectSealedSecretsForUpdate(client);
    const older = secrets.filter(({ envelope }) => keyIdOf(envelope) !== newest.id);
    for (const { key, envelope } of older) {
      await replaceEnvelope(client, { key, envelope: sealSecret(newest, key, openSecret(find, key, envelope)) });
      await insertAccess(client, { id: ids(), secretKey: key, actor, action: "rotate", createdAt });
    }
    await reencryptSettings(client, keys);
    return older.length;
  });
}

/** What does not open has been lost with its key; its owner makes another. */
async function reencryptSettings(client: PoolClient, keys: EncryptionKeys): Promise<void> {
  for (const { name, envelope } of await selectSealedSettingsForUpdate(client)) {
    const isLost = !opens(keys, { key: name, envelope });
    if (isLost || keyIdOf(envelope) === keys.newest.id) continue;
    const to = sealSecret(keys.newest, name, openSecret(keys.find, name, envelope));
    await replaceSealedSetting(client, { name, from: envelope, to });
  }
}

function assertOpen(keys: Pick<EncryptionKeys, "find">, secrets: readonly SealedSecret[]): void {
  const locked = secrets.filter((secret) => !opens(keys, secret));
  if (locked.length > 0) throw new SecretsLockedError(explainLocked(locked, secrets.length));
}

function opens({ find }: Pick<EncryptionKeys, "find">, { key, envelope }: SealedSecret): boolean {
  try {
    openSecret(find, key, envelope);
    return true;
  } catch (error) {
    if (error instanceof SecretBoxError) return false;
    throw error;
  }
}

function explainLocked(locked: readonly SealedSecret[], total: number): string {
  const names = locked.slice(0, MAX_NAMED).map((secret) => secret.key);
  const more = locked.length > names.length ? ` and ${locked.length - names.length} more` : "";
  return (
    `${locked.length} of ${total} stored secrets do not open with the configured encryption key: ${names.join(", ")}${more}.\n` +
    "Set SERVICE_ENCRYPTION_KEY to the key that they were stored with, or put the file encryption-key that belongs to them back into DATA_DIR.\n" +
    "Nothing was changed."
  );
}
