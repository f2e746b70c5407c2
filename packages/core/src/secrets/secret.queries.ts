import type { Pool, PoolClient } from "@workspace/db";
import type { Secret, SecretAccess } from "./secret.schema.ts";

export type Queryable = Pool | PoolClient;

const COLUMNS = `id, key, description, created_at AS "createdAt", updated_at AS "updatedAt"`;
const CURRENT_KEY = "secrets.encryption_key_id";

/** A secret as it lies in the database. */
export interface SealedSecret {
  readonly key: string;
  readonly envelope: string;
}

/** Who did what with which secret, and when. Never the value. */
export interface AccessRecord {
  readonly id: string;
  readonly secretKey: string;
  readonly actor: string;
  readonly action: SecretAccess["action"];
  readonly createdAt: Date;
}

export async function selectSecrets(
  db: Queryable,
  { limit = null, after = [null] }: { limit?: number | null | undefined; after?: readonly [string | null] | undefined },
): Promise<Secret[]> {
  const { rows } = await db.query<Secret>(
    `SELECT ${COLUMNS} FROM secrets WHERE $1::text IS NULL OR key > $1 ORDER BY key LIMIT $2`,
    [...after, limit],
  );
  return rows;
}

export async function selectSealedSecrets(db: Queryable): Promise<SealedSecret[]> {
  const { rows } = await db.query<SealedSecret>("SELECT key, envelope FROM secrets ORDER BY key");
  return rows;
}

export async function selectSealedSecretsForUpdate(db: PoolClient): Promise<SealedSecret[]> {
  const { rows } = await db.query<SealedSecret>("SELECT key, envelope FROM secrets ORDER BY key FOR UPDATE");
  return rows;
}

/** Records the access and answers the envelope, in one statement; null, and nothing is recorded, without such a secret. */
export async function selectEnvelope(db: Queryable, access: AccessRecord): Promise<string | null> {
  const { rows } = await db.query<{ envelope: string }>(
    `WITH secret AS (SELECT key, envelope FROM secrets WHERE key = $2),
     access AS (
       INSERT INTO secret_accesses (id, secret_key, actor, action, created_at) SELECT $1, key, $3, $4, $5 FROM secret
     )
     SELECT envelope FROM secret`,
    [access.id, access.secretKey, access.actor, access.action, access.createdAt],
  );
  return rows[0]?.envelope ?? null;
}

/** Null, and nothing is stored, where the key is taken. */
export async function insertSecret(
  db: Queryable,
  secret: { id: string; key: string; envelope: string; description: string | null; createdAt: Date },
): Promise<Secret | null> {
  const { rows } = await db.query<Secret>(
    `INSERT INTO secrets (id, key, envelope, description, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (key) DO NOTHING RETURNING ${COLUMNS}`,
    [secret.id, secret.key, secret.envelope, secret.description, secret.createdAt],
  );
  return rows[0] ?? null;
}

/** Leaves the envelope or the description as it is where undefined. Null where there is no such secret. */
export async function updateSecret(
  db: Queryable,
  key: string,
  change: { envelope: string | undefined; description: string | null | undefined; updatedAt: Date },
): Promise<Secret | null> {
  const { rows } = await db.query<Secret>(
    `UPDATE secrets SET envelope = COALESCE($2, envelope), description = CASE WHEN $3 THEN $4 ELSE description END,
       updated_at = $5
     WHERE key = $1 RETURNING ${COLUMNS}`,
    [key, change.envelope ?? null, change.description !== undefined, change.description ?? null, change.updatedAt],
  );
  return rows[0] ?? null;
}

/** Encrypted anew, the secret is still the same: its time of change stays. */
export async function replaceEnvelope(db: Queryable, { key, envelope }: SealedSecret): Promise<void> {
  await db.query("UPDATE secrets SET envelope = $2 WHERE key = $1", [key, envelope]);
}

/** Answers the id of what was deleted; null where there was no such secret. */
export async function deleteSecret(db: Queryable, key: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>("DELETE FROM secrets WHERE key = $1 RETURNING id", [key]);
  return rows[0]?.id ?? null;
}

export async function insertAccess(db: Queryable, access: AccessRecord): Promise<void> {
  await db.query(
    "INSERT INTO secret_accesses (id, secret_key, actor, action, created_at) VALUES ($1, $2, $3, $4, $5)",
    [access.id, access.secretKey, access.actor, access.action, access.createdAt],
  );
}

/** Newest first. */
export async function selectAccesses(
  db: Queryable,
  key: string,
  { limit, after = [null, null] }: { limit: number; after: readonly [string | null, string | null] | undefined },
): Promise<SecretAccess[]> {
  const { rows } = await db.query<SecretAccess>(
    `SELECT id, action, actor, created_at AS "createdAt" FROM secret_accesses
     WHERE secret_key = $1 AND ($4::uuid IS NULL OR (created_at, id) < ($3::timestamptz, $4))
     ORDER BY created_at DESC, id DESC LIMIT $2`,
    [key, limit, ...after],
  );
  return rows;
}

/**
 * The id of the key that secrets are encrypted with now, which stays so until the transaction ends; null before the first
 * start. Another process may have made it another one.
 */
export async function lockCurrentKeyId(db: PoolClient): Promise<string | null> {
  const { rows } = await db.query<{ keyId: string }>(
    `SELECT value #>> '{}' AS "keyId" FROM settings WHERE key = $1 FOR SHARE`,
    [CURRENT_KEY],
  );
  return rows[0]?.keyId ?? null;
}

/** The id of the key that secrets are encrypted with; recorded as the given one where there is none yet. */
export async function findOrRecordCurrentKeyId(db: Queryable, firstKeyId: string, now: Date): Promise<string> {
  await db.query(
    "INSERT INTO settings (key, value, updated_at) VALUES ($1, to_jsonb($2::text), $3) ON CONFLICT (key) DO NOTHING",
    [CURRENT_KEY, firstKeyId, now],
  );
  const { rows } = await db.query<{ keyId: string }>(`SELECT value #>> '{}' AS "keyId" FROM settings WHERE key = $1`, [
    CURRENT_KEY,
  ]);
  return rows[0]?.keyId ?? firstKeyId;
}

/** Makes the key of this id the one to encrypt with. Others who ask for the current key wait until the transaction ends. */
export async function setCurrentKey(db: PoolClient, keyId: string, updatedAt: Date): Promise<void> {
  await db.query(
    `INSERT INTO settings (key, value, updated_at) VALUES ($1, to_jsonb($2::text), $3)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    [CURRENT_KEY, keyId, updatedAt],
  );
}
