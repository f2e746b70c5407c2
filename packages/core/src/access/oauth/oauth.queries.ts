import { column, defineCommand, defineQuery, type Pool, type PoolClient } from "@workspace/db";
import type { ApiKeyScope } from "../../platform/resources.ts";

/** A program that has registered itself. */
export interface OAuthClient {
  readonly id: string;
  /** As it calls itself, which proves nothing. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly createdAt: string;
}

const newClient = defineQuery({
  name: "insert-oauth-client",
  row: { id: column.uuid },
  text: `
    WITH unused AS MATERIALIZED (SELECT id, created_at FROM oauth_clients WHERE approved_at IS NULL),
    kept AS MATERIALIZED (
      SELECT id FROM unused WHERE created_at >= CASE WHEN (SELECT count(*) FROM unused) < $7 THEN $5 ELSE $6 END::timestamptz
    ),
    gone AS (DELETE FROM oauth_clients WHERE id IN (SELECT id FROM unused EXCEPT SELECT id FROM kept))
    INSERT INTO oauth_clients (id, name, redirect_uris, created_at)
    SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM kept) < $7
    RETURNING id`,
});

/**
 * Deletes clients that nobody has given access and that registered before `unusedBefore`, or before `crowdedBefore` if there are
 * `maxUnused` of them. Returns false, and stores nothing, if so many are left.
 */
export async function insertClient(
  pool: Pool,
  { id, name, redirectUris, createdAt }: Omit<OAuthClient, "createdAt"> & { readonly createdAt: Date },
  limits: { readonly unusedBefore: Date; readonly crowdedBefore: Date; readonly maxUnused: number },
): Promise<boolean> {
  const { unusedBefore, crowdedBefore, maxUnused } = limits;
  const values = [id, name, redirectUris, createdAt, unusedBefore, crowdedBefore, maxUnused];
  return (await newClient.first(pool, values)) !== null;
}

const client = defineQuery({
  name: "select-oauth-client",
  row: {
    id: column.uuid,
    name: column.text,
    redirectUris: column.texts.as<string[]>().neverNull,
    createdAt: column.timestamp,
  },
  text: `SELECT id, name, redirect_uris AS "redirectUris", created_at AS "createdAt" FROM oauth_clients WHERE id = $1`,
});

export function selectClient(pool: Pool, id: string): Promise<OAuthClient | null> {
  return client.first(pool, [id]);
}

export interface NewAuthorizationCode {
  readonly codeHash: string;
  readonly clientId: string;
  readonly userId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly folder: string | null;
  readonly keyExpiresAt: Date | null;
  readonly expiresAt: Date;
}

const approvedClient = defineQuery({
  name: "approve-oauth-client",
  row: { id: column.uuid },
  text: "UPDATE oauth_clients SET approved_at = COALESCE(approved_at, $2) WHERE id = $1 RETURNING id",
});

const newCode = defineCommand({
  name: "insert-authorization-code",
  text: `
    WITH expired AS (DELETE FROM authorization_codes WHERE expires_at <= $10)
    INSERT INTO authorization_codes
      (code_hash, client_id, user_id, redirect_uri, code_challenge, scopes, folder, key_expires_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
});

/** Stores a code and that a user has given its client access; false if the client no longer exists. */
export async function insertCode(db: PoolClient, code: NewAuthorizationCode, now: Date): Promise<boolean> {
  if ((await approvedClient.first(db, [code.clientId, now])) === null) return false;
  const { codeHash, clientId, userId, redirectUri, codeChallenge, scopes, folder, keyExpiresAt, expiresAt } = code;
  const values = [codeHash, clientId, userId, redirectUri, codeChallenge, scopes, folder, keyExpiresAt, expiresAt];
  await newCode.run(db, [...values, now]);
  return true;
}

const codeChallenge = defineQuery({
  name: "select-code-challenge",
  row: { codeChallenge: column.text },
  text: `SELECT code_challenge AS "codeChallenge" FROM authorization_codes WHERE code_hash = $1 AND client_id = $2`,
});

/** The challenge of a code, exchanged or not; null if the client has no such code. */
export async function selectCodeChallenge(pool: Pool, codeHash: string, clientId: string): Promise<string | null> {
  return (await codeChallenge.first(pool, [codeHash, clientId]))?.codeChallenge ?? null;
}

/** What a code is exchanged for. */
export interface ApprovedAccess {
  readonly clientName: string;
  readonly userId: string;
  readonly redirectUri: string;
  readonly scopes: ApiKeyScope[];
  readonly folder: string | null;
  readonly keyExpiresAt: string | null;
  readonly expiresAt: string;
  /** The key that it has been exchanged for; null if it has not. */
  readonly keyId: string | null;
}

const lockedCode = defineQuery({
  name: "lock-authorization-code",
  row: {
    clientName: column.text,
    userId: column.uuid,
    redirectUri: column.text,
    scopes: column.texts.as<ApiKeyScope[]>().neverNull,
    folder: column.text.nullable,
    keyExpiresAt: column.timestamp.nullable,
    expiresAt: column.timestamp,
    keyId: column.uuid.nullable,
  },
  text: `
    SELECT c.name AS "clientName", a.user_id AS "userId", a.redirect_uri AS "redirectUri", a.scopes, a.folder,
      a.key_expires_at AS "keyExpiresAt", a.expires_at AS "expiresAt", a.key_id AS "keyId"
    FROM authorization_codes a JOIN oauth_clients c ON c.id = a.client_id
    WHERE a.code_hash = $1 AND a.client_id = $2 FOR UPDATE OF a`,
});

/** Locks a code until the transaction ends, so that it is exchanged once; null if the client has no such code. */
export function lockCode(db: PoolClient, codeHash: string, clientId: string): Promise<ApprovedAccess | null> {
  return lockedCode.first(db, [codeHash, clientId]);
}

const exchangedCode = defineCommand({
  name: "update-authorization-code",
  text: "UPDATE authorization_codes SET key_id = $2 WHERE code_hash = $1",
});

export async function markExchanged(db: PoolClient, codeHash: string, keyId: string): Promise<void> {
  await exchangedCode.run(db, [codeHash, keyId]);
}

const clientKey = defineQuery({
  name: "select-client-key",
  row: { id: column.uuid },
  text: "SELECT id FROM api_keys WHERE key_hash = $1 AND client_id = $2",
});

/** The id of a client's key; null if the client has no such key. */
export async function selectClientKey(pool: Pool, keyHash: string, clientId: string): Promise<string | null> {
  return (await clientKey.first(pool, [keyHash, clientId]))?.id ?? null;
}
