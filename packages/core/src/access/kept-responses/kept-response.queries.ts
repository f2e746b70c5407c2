import { column, defineCommand, defineQuery, type Pool, type PoolClient, type Queryable } from "@workspace/db";

/** Identifies a request: the key of the program, and what the program has called it. */
export interface RequestName {
  readonly apiKeyId: string;
  readonly idempotencyKey: string;
}

/** A response as it is kept. */
export interface StoredResponse {
  readonly status: number;
  readonly entityTag: string | null;
  readonly body: string | null;
  readonly isSealed: boolean;
}

const lock = defineQuery({
  name: "lock-request",
  row: { isLocked: column.boolean.neverNull },
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('workspace:request ' || $1 || ' ' || $2, 0)) AS "isLocked"`,
});

/** Locks a request until the transaction ends; returns false if somebody else has. */
export async function tryLockRequest(client: PoolClient, name: RequestName): Promise<boolean> {
  return (await lock.one(client, [name.apiKeyId, name.idempotencyKey])).isLocked;
}

const keptResponse = defineQuery({
  name: "select-kept-response",
  row: {
    requestHash: column.text,
    processId: column.uuid.nullable,
    isProcessAlive: column.boolean.neverNull,
    status: column.integer.nullable,
    entityTag: column.text.nullable,
    body: column.text.nullable,
    isSealed: column.boolean,
  },
  text: `
    SELECT request_hash AS "requestHash", process_id AS "processId", status, entity_tag AS "entityTag", body, is_sealed AS "isSealed",
      EXISTS (SELECT FROM server_processes p WHERE p.id = process_id AND p.lease_expires_at >= now()) AS "isProcessAlive"
    FROM kept_responses WHERE api_key_id = $1 AND idempotency_key = $2 AND created_at > $3`,
});

/** The request of this name since a time, with its response; null if there was none. */
export function selectKeptResponse(db: Queryable, { apiKeyId, idempotencyKey }: RequestName, since: Date) {
  return keptResponse.first(db, [apiKeyId, idempotencyKey, since]);
}

const newKeptResponse = defineCommand({
  name: "put-kept-response",
  text: `
    INSERT INTO kept_responses
      (api_key_id, idempotency_key, request_hash, created_at, process_id, status, entity_tag, body, is_sealed)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (api_key_id, idempotency_key) DO UPDATE SET
      request_hash = excluded.request_hash, created_at = excluded.created_at, process_id = excluded.process_id,
      status = excluded.status, entity_tag = excluded.entity_tag, body = excluded.body, is_sealed = excluded.is_sealed`,
});

export interface NewRequest extends RequestName {
  readonly requestHash: string;
  readonly createdAt: Date;
}

/** Records a request that a process begins to carry out, instead of one that is too old to count. */
export async function insertRequest(client: PoolClient, request: NewRequest, processId: string): Promise<void> {
  const { apiKeyId, idempotencyKey, requestHash, createdAt } = request;
  await newKeptResponse.run(client, [
    apiKeyId,
    idempotencyKey,
    requestHash,
    createdAt,
    processId,
    null,
    null,
    null,
    false,
  ]);
}

/** Records a request together with its response. */
export async function insertResponse(client: PoolClient, request: NewRequest, response: StoredResponse): Promise<void> {
  const { apiKeyId, idempotencyKey, requestHash, createdAt } = request;
  const { status, entityTag, body, isSealed } = response;
  await newKeptResponse.run(client, [
    apiKeyId,
    idempotencyKey,
    requestHash,
    createdAt,
    null,
    status,
    entityTag,
    body,
    isSealed,
  ]);
}

const addedResponse = defineCommand({
  name: "add-kept-response",
  text: `
    UPDATE kept_responses SET process_id = NULL, status = $4, entity_tag = $5, body = $6, is_sealed = $7
    WHERE api_key_id = $1 AND idempotency_key = $2 AND process_id = $3`,
});

/** Adds the response to a request that a process has carried out. */
export async function addResponse(
  pool: Pool,
  { apiKeyId, idempotencyKey }: RequestName,
  processId: string,
  { status, entityTag, body, isSealed }: StoredResponse,
): Promise<void> {
  await addedResponse.run(pool, [apiKeyId, idempotencyKey, processId, status, entityTag, body, isSealed]);
}

const withdrawnRequest = defineCommand({
  name: "delete-request",
  text: "DELETE FROM kept_responses WHERE api_key_id = $1 AND idempotency_key = $2 AND process_id = $3",
});

/** Forgets a request of a process that has changed nothing. */
export async function deleteRequest(
  pool: Pool,
  { apiKeyId, idempotencyKey }: RequestName,
  processId: string,
): Promise<void> {
  await withdrawnRequest.run(pool, [apiKeyId, idempotencyKey, processId]);
}

// The number of bytes is known without reading the bodies.
const oldResponses = defineCommand({
  name: "delete-old-kept-responses",
  text: `
    DELETE FROM kept_responses kept USING (
      SELECT api_key_id, idempotency_key, created_at, row_number() OVER newest_first AS place,
        sum(octet_length(body)) OVER newest_first AS bytes
      FROM kept_responses WINDOW newest_first AS (PARTITION BY api_key_id ORDER BY created_at DESC, idempotency_key)
    ) AS counted
    WHERE kept.api_key_id = counted.api_key_id AND kept.idempotency_key = counted.idempotency_key
      AND (counted.created_at <= $1 OR counted.place > $2 OR counted.bytes > $3)`,
});

/** Forgets requests before a time, and the oldest ones of each key above a number of requests or of bytes. */
export async function deleteOldResponses(
  pool: Pool,
  { before, maxRequests, maxBytes }: { before: Date; maxRequests: number; maxBytes: number },
): Promise<void> {
  await oldResponses.run(pool, [before, maxRequests, maxBytes]);
}
