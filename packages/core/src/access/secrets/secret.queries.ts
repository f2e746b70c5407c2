import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { Secret, SecretAccess } from "./secret.schema.ts";

const SECRET = {
  id: column.uuid,
  key: column.text,
  description: column.text.nullable,
  createdAt: column.timestamp,
  updatedAt: column.timestamp,
};

const COLUMNS = `id, key, description, created_at AS "createdAt", updated_at AS "updatedAt"`;
const CURRENT_KEY = "secrets.encryption_key_id";

/** A secret as stored in the database. */
const SEALED_SECRET = { key: column.text, envelope: column.text };
export type SealedSecret = Readonly<RowOf<typeof SEALED_SECRET>>;

/** Who did what with which secret, and when. Never the value. */
export interface AccessRecord {
  readonly id: string;
  readonly secretKey: string;
  readonly actor: string;
  readonly action: SecretAccess["action"];
  readonly createdAt: Date;
}

const secretsByKey = defineQuery({
  name: "select-secrets",
  row: SECRET,
  text: `SELECT ${COLUMNS} FROM secrets WHERE $1::text IS NULL OR key > $1 ORDER BY key LIMIT $2`,
});

export function selectSecrets(db: Queryable, { limit, after }: PageRange<readonly [key: string]>): Promise<Secret[]> {
  return secretsByKey.all(db, [after?.[0], limit]);
}

const SELECT_SEALED = "SELECT key, envelope FROM secrets ORDER BY key";

const sealedSecrets = defineQuery({ name: "select-sealed-secrets", row: SEALED_SECRET, text: SELECT_SEALED });

export function selectSealedSecrets(db: Queryable): Promise<SealedSecret[]> {
  return sealedSecrets.all(db);
}

const lockedSealedSecrets = defineQuery({
  name: "select-sealed-secrets-for-update",
  row: SEALED_SECRET,
  text: `${SELECT_SEALED} FOR UPDATE`,
});

export function selectSealedSecretsForUpdate(db: PoolClient): Promise<SealedSecret[]> {
  return lockedSealedSecrets.all(db);
}

const openedEnvelope = defineQuery({
  name: "select-envelope",
  row: { envelope: column.text },
  text: `
    WITH secret AS (SELECT key, envelope FROM secrets WHERE key = $2),
    access AS (
      INSERT INTO secret_accesses (id, secret_key, actor, action, created_at) SELECT $1, key, $3, $4, $5 FROM secret
    )
    SELECT envelope FROM secret`,
});

/**
 * Records the access and returns the envelope, in one statement; returns null and records nothing if there is no such secret.
 */
export async function selectEnvelope(db: Queryable, access: AccessRecord): Promise<string | null> {
  const { id, secretKey, actor, action, createdAt } = access;
  return (await openedEnvelope.first(db, [id, secretKey, actor, action, createdAt]))?.envelope ?? null;
}

const newSecret = defineQuery({
  name: "insert-secret",
  row: SECRET,
  text: `
    INSERT INTO secrets (id, key, envelope, description, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
    ON CONFLICT (key) DO NOTHING RETURNING ${COLUMNS}`,
});

/** Returns null and stores nothing if the key is taken. */
export function insertSecret(
  db: Queryable,
  secret: { id: string; key: string; envelope: string; description: string | null; createdAt: Date },
): Promise<Secret | null> {
  const { id, key, envelope, description, createdAt } = secret;
  return newSecret.first(db, [id, key, envelope, description, createdAt]);
}

const changedSecret = defineQuery({
  name: "update-secret",
  row: SECRET,
  text: `
    UPDATE secrets SET envelope = COALESCE($2, envelope), description = CASE WHEN $3 THEN $4 ELSE description END,
      updated_at = COALESCE($5, updated_at)
    WHERE key = $1 RETURNING ${COLUMNS}`,
});

/**
 * Leaves the envelope or the description unchanged if undefined, and the time if null. Returns null if there is no such
 * secret.
 */
export function updateSecret(
  db: Queryable,
  key: string,
  change: { envelope: string | undefined; description: string | null | undefined; updatedAt: Date | null },
): Promise<Secret | null> {
  const { envelope = null, description, updatedAt } = change;
  return changedSecret.first(db, [key, envelope, description !== undefined, description ?? null, updatedAt]);
}

const replacedEnvelope = defineCommand({
  name: "replace-envelope",
  text: "UPDATE secrets SET envelope = $2 WHERE key = $1",
});

/** Re-encryption does not change the secret itself, so `updated_at` stays. */
export async function replaceEnvelope(db: Queryable, { key, envelope }: SealedSecret): Promise<void> {
  await replacedEnvelope.run(db, [key, envelope]);
}

const deletedSecret = defineQuery({
  name: "delete-secret",
  row: { id: column.uuid },
  text: "DELETE FROM secrets WHERE key = $1 RETURNING id",
});

/** Returns the id of the deleted secret; null if there was none. */
export async function deleteSecret(db: Queryable, key: string): Promise<string | null> {
  return (await deletedSecret.first(db, [key]))?.id ?? null;
}

const newAccess = defineCommand({
  name: "insert-secret-access",
  text: "INSERT INTO secret_accesses (id, secret_key, actor, action, created_at) VALUES ($1, $2, $3, $4, $5)",
});

export async function insertAccess(db: Queryable, access: AccessRecord): Promise<void> {
  const { id, secretKey, actor, action, createdAt } = access;
  await newAccess.run(db, [id, secretKey, actor, action, createdAt]);
}

const accessesByAge = defineQuery({
  name: "select-secret-accesses",
  row: {
    id: column.uuid,
    action: column.text.as<SecretAccess["action"]>(),
    actor: column.text,
    createdAt: column.timestamp,
  },
  text: `
    SELECT id, action, actor, created_at AS "createdAt" FROM secret_accesses
    WHERE secret_key = $1 AND ($4::uuid IS NULL OR (created_at, id) < ($3::timestamptz, $4))
    ORDER BY created_at DESC, id DESC LIMIT $2`,
});

/** Newest first. */
export function selectAccesses(
  db: Queryable,
  key: string,
  { limit, after }: PageRange<TimeAndId>,
): Promise<SecretAccess[]> {
  return accessesByAge.all(db, [key, limit, after?.[0], after?.[1]]);
}

const CURRENT_KEY_ROW = { keyId: column.text.neverNull };
const SELECT_CURRENT_KEY = `SELECT value #>> '{}' AS "keyId" FROM settings WHERE key = $1`;

const lockedCurrentKey = defineQuery({
  name: "lock-current-key-id",
  row: CURRENT_KEY_ROW,
  text: `${SELECT_CURRENT_KEY} FOR SHARE`,
});

/**
 * Returns the id of the key that secrets are currently encrypted with, and locks it until the transaction ends; null before the
 * first start. Another process may have changed it.
 */
export async function lockCurrentKeyId(db: PoolClient): Promise<string | null> {
  return (await lockedCurrentKey.first(db, [CURRENT_KEY]))?.keyId ?? null;
}

const firstCurrentKey = defineCommand({
  name: "insert-current-key-id",
  text: "INSERT INTO settings (key, value, updated_at) VALUES ($1, to_jsonb($2::text), $3) ON CONFLICT (key) DO NOTHING",
});

const currentKey = defineQuery({ name: "select-current-key-id", row: CURRENT_KEY_ROW, text: SELECT_CURRENT_KEY });

/** Returns the id of the key that secrets are encrypted with, after recording the given one if there is none yet. */
export async function findOrRecordCurrentKeyId(db: PoolClient, firstKeyId: string, now: Date): Promise<string> {
  await firstCurrentKey.run(db, [CURRENT_KEY, firstKeyId, now]);
  return (await currentKey.first(db, [CURRENT_KEY]))?.keyId ?? firstKeyId;
}

const changedCurrentKey = defineCommand({
  name: "set-current-key-id",
  text: `
    INSERT INTO settings (key, value, updated_at) VALUES ($1, to_jsonb($2::text), $3)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
});

/** Makes the key with this id the current one. Other transactions that ask for it wait until this one ends. */
export async function setCurrentKey(db: PoolClient, keyId: string, updatedAt: Date): Promise<void> {
  await changedCurrentKey.run(db, [CURRENT_KEY, keyId, updatedAt]);
}
