import type { Pool } from "@workspace/db";
import type { ApiKeyScope } from "../platform/api-key-scope.ts";
import type { ApiKeyPrincipal } from "../platform/principal.ts";
import type { ApiKey, RevokedApiKey } from "./api-key.schema.ts";

/** A stored key as who it stands for, expired or not. */
export interface ApiKeyRecord {
  readonly principal: ApiKeyPrincipal;
  readonly expiresAt: string | null;
}

/** Newest first. */
export async function selectApiKeys(
  pool: Pool,
  {
    limit = null,
    after = [null, null],
  }: {
    limit: number | null | undefined;
    after: readonly [string | null, string | null] | undefined;
  },
): Promise<ApiKey[]> {
  const { rows } = await pool.query<Omit<ApiKey, "creator"> & { creatorId: string; creatorName: string }>(
    `SELECT k.id, k.name, k.scopes, k.hint, k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt",
       k.creator_id AS "creatorId", u.name AS "creatorName", k.created_at AS "createdAt"
     FROM api_keys k JOIN users u ON u.id = k.creator_id
     WHERE $2::uuid IS NULL OR (k.created_at, k.id) < ($1::timestamptz, $2)
     ORDER BY k.created_at DESC, k.id DESC LIMIT $3`,
    [...after, limit],
  );
  return rows.map(({ creatorId, creatorName, ...key }) => ({ ...key, creator: { id: creatorId, name: creatorName } }));
}

/** The key with this hash, expired or not; null where there is none. */
export async function selectApiKeyByHash(pool: Pool, keyHash: string): Promise<ApiKeyRecord | null> {
  const { rows } = await pool.query<{
    keyId: string;
    userId: string;
    scopes: ApiKeyScope[];
    expiresAt: string | null;
  }>({
    name: "select-api-key",
    text: `
      SELECT id AS "keyId", creator_id AS "userId", scopes, expires_at AS "expiresAt" FROM api_keys WHERE key_hash = $1`,
    values: [keyHash],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { keyId, userId, scopes, expiresAt } = row;
  return { principal: { kind: "api_key", keyId, userId, scopes: new Set(scopes) }, expiresAt };
}

export interface NewApiKey {
  readonly id: string;
  readonly name: string;
  readonly keyHash: string;
  readonly hint: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly creatorId: string;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

export async function insertApiKey(pool: Pool, key: NewApiKey): Promise<void> {
  await pool.query(
    `INSERT INTO api_keys (id, name, key_hash, hint, scopes, creator_id, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [key.id, key.name, key.keyHash, key.hint, key.scopes, key.creatorId, key.expiresAt, key.createdAt],
  );
}

/** Null where there is no such key. */
export async function deleteApiKey(pool: Pool, id: string): Promise<RevokedApiKey | null> {
  const { rows } = await pool.query<RevokedApiKey>("DELETE FROM api_keys WHERE id = $1 RETURNING id, name", [id]);
  return rows[0] ?? null;
}

/** Writes when keys were last used, never earlier than what is there. Keys that are gone are left out. */
export async function updateApiKeyUses(pool: Pool, uses: ReadonlyMap<string, Date>): Promise<void> {
  await pool.query(
    `UPDATE api_keys k SET last_used_at = GREATEST(k.last_used_at, used.at)
     FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at) WHERE k.id = used.id`,
    [[...uses.keys()], [...uses.values()]],
  );
}
