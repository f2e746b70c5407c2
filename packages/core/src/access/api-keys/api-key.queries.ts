import { column, defineCommand, defineQuery, type Pool, type PoolClient } from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { ApiKeyScope } from "../../platform/resources.ts";
import type { ApiKeyPrincipal } from "../../platform/procedures/principal.ts";
import type { ApiKey, RevokedApiKey } from "./api-key.schema.ts";

/** A stored key, expired or not, and the principal that it authenticates. */
export interface ApiKeyRecord {
  readonly principal: ApiKeyPrincipal;
  readonly expiresAt: string | null;
}

const apiKeys = defineQuery({
  name: "select-api-keys",
  row: {
    id: column.uuid,
    name: column.text,
    scopes: column.texts.as<ApiKeyScope[]>().neverNull,
    folder: column.text.nullable,
    hint: column.text,
    expiresAt: column.timestamp.nullable,
    lastUsedAt: column.timestamp.nullable,
    creatorId: column.uuid,
    creatorName: column.text,
    createdAt: column.timestamp,
  },
  text: `
    SELECT k.id, k.name, k.scopes, k.folder, k.hint, k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt",
      k.creator_id AS "creatorId", u.name AS "creatorName", k.created_at AS "createdAt"
    FROM api_keys k JOIN users u ON u.id = k.creator_id
    WHERE $2::uuid IS NULL OR (k.created_at, k.id) < ($1::timestamptz, $2)
    ORDER BY k.created_at DESC, k.id DESC LIMIT $3`,
});

/** Newest first. */
export async function selectApiKeys(pool: Pool, { limit, after }: PageRange<TimeAndId>): Promise<ApiKey[]> {
  const rows = await apiKeys.all(pool, [after?.[0], after?.[1], limit]);
  return rows.map(({ creatorId, creatorName, ...key }) => ({ ...key, creator: { id: creatorId, name: creatorName } }));
}

const apiKeyByHash = defineQuery({
  name: "select-api-key",
  row: {
    keyId: column.uuid,
    name: column.text,
    userId: column.uuid,
    scopes: column.texts.as<ApiKeyScope[]>().neverNull,
    folder: column.text.nullable,
    expiresAt: column.timestamp.nullable,
  },
  isPrepared: true,
  text: `
    SELECT id AS "keyId", name, creator_id AS "userId", scopes, folder, expires_at AS "expiresAt"
    FROM api_keys WHERE key_hash = $1`,
});

/** The key with this hash, expired or not; null if there is none. */
export async function selectApiKeyByHash(pool: Pool, keyHash: string): Promise<ApiKeyRecord | null> {
  const row = await apiKeyByHash.first(pool, [keyHash]);
  if (row === null) return null;
  const { keyId, name, userId, scopes, folder, expiresAt } = row;
  const principal = { kind: "api_key", keyId, name, userId, scopes: new Set(scopes) } as const;
  return { principal: folder === null ? principal : { ...principal, folder }, expiresAt };
}

export interface NewApiKey {
  readonly id: string;
  readonly name: string;
  readonly keyHash: string;
  readonly hint: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly folder: string | null;
  readonly creatorId: string;
  /** The program that obtains it by OAuth; null if a person creates it. */
  readonly clientId: string | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

const newApiKey = defineCommand({
  name: "insert-api-key",
  text: `
    INSERT INTO api_keys (id, name, key_hash, hint, scopes, folder, creator_id, client_id, expires_at, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
});

export async function insertApiKey(db: Pool | PoolClient, key: NewApiKey): Promise<void> {
  const { id, name, keyHash, hint, scopes, folder, creatorId, clientId, expiresAt, createdAt } = key;
  await newApiKey.run(db, [id, name, keyHash, hint, scopes, folder, creatorId, clientId, expiresAt, createdAt]);
}

const deletedApiKey = defineQuery({
  name: "delete-api-key",
  row: { id: column.uuid, name: column.text },
  text: "DELETE FROM api_keys WHERE id = $1 RETURNING id, name",
});

/** Returns null if there is no such key. */
export function deleteApiKey(pool: Pool, id: string): Promise<RevokedApiKey | null> {
  return deletedApiKey.first(pool, [id]);
}

const apiKeyUses = defineCommand({
  name: "update-api-key-uses",
  text: `
    UPDATE api_keys k SET last_used_at = GREATEST(k.last_used_at, used.at)
    FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at) WHERE k.id = used.id`,
});

/** Records when keys were last used; never moves a time backwards. Keys that no longer exist are skipped. */
export async function updateApiKeyUses(pool: Pool, uses: ReadonlyMap<string, Date>): Promise<void> {
  await apiKeyUses.run(pool, [[...uses.keys()], [...uses.values()]]);
}
