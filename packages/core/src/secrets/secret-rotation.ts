import { transaction, type Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { IdGenerator } from "../platform/ids.ts";
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
import { WrongKeyError } from "./wrong-key-error.ts";

const WRONG_KEY =
  "This process has another encryption key than the one that belongs to the database: give it the same " +
  "SERVICE_ENCRYPTION_KEY (or the file encryption-key of the first DATA_DIR), or stop all processes and run " +
  "`npm start -- adopt-keys` to change the key for good, which it does only while no stored secret needs the other one.";

/** How many of the secrets that do not open are named; the first ones say enough. */
const MAX_NAMED = 5;

/** Stored secrets do not open with the configured keys. The message is meant for the person who started the service. */
export class SecretsLockedError extends Error {
  override readonly name = "SecretsLockedError";
}

export interface SecretRotationDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly keys: EncryptionKeys;
}

/**
 * To be called before anything else is done with secrets. Makes sure that every stored secret opens, and throws
 * {@link SecretsLockedError} otherwise; that this process has the key that the others encrypt with, and throws
 * {@link WrongKeyError} otherwise; then ends a rotation that a crash has interrupted.
 */
export async function verifySecrets(deps: SecretRotationDeps): Promise<void> {
  const { db, clock, keys } = deps;
  const secrets = await selectSealedSecrets(db.pool);
  assertOpen(keys, secrets);
  const oldest = secrets.map(({ envelope }) => keyIdOf(envelope)).find((id) => id !== keys.newest.id);
  const currentId = await findOrRecordCurrentKeyId(db.pool, oldest ?? keys.newest.id, clock.now());
  if (keys.find(currentId) === undefined) throw new WrongKeyError(WRONG_KEY);
  if (keys.hasOlder && keys.canReplace) {
    await encryptAnew(deps, "service");
    await keys.dropOlder();
    return;
  }
  // With older keys from the environment, moving to the new one is left to the person who set them.
  const needsOlder = secrets.some(({ envelope }) => keyIdOf(envelope) !== keys.newest.id);
  if (!needsOlder) await transaction(db.pool, (client) => setCurrentKey(client, keys.newest.id, clock.now()));
}

/**
 * Makes the newest key the one of the database, whichever it was before. Throws {@link SecretsLockedError} where a stored
 * secret does not open, since it never would again.
 */
export async function adoptEncryptionKey({ db, clock, keys }: Omit<SecretRotationDeps, "ids">): Promise<void> {
  assertOpen(keys, await selectSealedSecrets(db.pool));
  await transaction(db.pool, (client) => setCurrentKey(client, keys.newest.id, clock.now()));
}

/**
 * Encrypts all secrets with a new key, or, where the keys come from the environment, with the newest there. Throws
 * ConflictError where the environment holds no older one beside it. Killed at any moment, it loses nothing: the new key is kept durably
 * before the first secret needs it, the secrets change in one transaction, and the old key goes last.
 */
export async function rotateSecrets(deps: SecretRotationDeps, actor: string): Promise<SecretRotation> {
  const { keys } = deps;
  // With an older key beside it, the newest is one that an earlier rotation did not come to use.
  if (!keys.hasOlder) await keys.addNew();
  const rotated = await encryptAnew(deps, actor);
  await keys.dropOlder();
  return { rotated, keyId: keys.newest.id };
}

async function encryptAnew({ db, clock, ids, keys }: SecretRotationDeps, actor: string): Promise<number> {
  const createdAt = clock.now();
  const { newest, find } = keys;
  return transaction(db.pool, async (client) => {
    // First, because whoever stores a secret holds on to the current key until it is stored.
    await setCurrentKey(client, newest.id, createdAt);
    const secrets = await selectSealedSecretsForUpdate(client);
    const older = secrets.filter(({ envelope }) => keyIdOf(envelope) !== newest.id);
    for (const { key, envelope } of older) {
      await replaceEnvelope(client, { key, envelope: sealSecret(newest, key, openSecret(find, key, envelope)) });
      await insertAccess(client, { id: ids(), secretKey: key, actor, action: "rotate", createdAt });
    }
    return older.length;
  });
}

function assertOpen(keys: EncryptionKeys, secrets: readonly SealedSecret[]): void {
  const locked = secrets.filter((secret) => !opens(keys, secret));
  if (locked.length > 0) throw new SecretsLockedError(explainLocked(locked, secrets.length));
}

function opens({ find }: EncryptionKeys, { key, envelope }: SealedSecret): boolean {
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
