import { column, defineQuery, type Queryable } from "@workspace/db";
import type { PageRange } from "../../platform/paging.ts";
import type { SecretGrant } from "./secret-grant.schema.ts";

const GRANT = { id: column.uuid, command: column.text, folder: column.text, createdAt: column.timestamp };
const COLUMNS = `g.id, g.command, g.folder, g.created_at AS "createdAt"`;
const SECRET_ID = { secretId: column.uuid };

const grantsOfSecret = defineQuery({
  name: "select-secret-grants",
  row: GRANT,
  text: `
    SELECT ${COLUMNS} FROM secret_grants g JOIN secrets s ON s.id = g.secret_id
    WHERE s.key = $1 AND ($3::uuid IS NULL OR g.id > $3) ORDER BY g.id LIMIT $2`,
});

/** Oldest first. Empty if there is no such secret. */
export function selectGrants(
  db: Queryable,
  key: string,
  { limit, after }: PageRange<readonly [id: string]> = { limit: undefined, after: undefined },
): Promise<SecretGrant[]> {
  return grantsOfSecret.all(db, [key, limit, after?.[0]]);
}

const newGrant = defineQuery({
  name: "insert-secret-grant",
  row: { ...GRANT, ...SECRET_ID },
  text: `
    INSERT INTO secret_grants AS g (id, secret_id, command, folder, created_at)
    SELECT $2::uuid, id, $3, $4, $5::timestamptz FROM secrets WHERE key = $1
    ON CONFLICT (secret_id, folder, command) DO UPDATE SET folder = EXCLUDED.folder
    RETURNING ${COLUMNS}, g.secret_id AS "secretId"`,
});

/** Returns the grant, which may have been there before; null if there is no such secret. */
export function insertGrant(
  db: Queryable,
  key: string,
  { id, command, folder, createdAt }: { id: string; command: string; folder: string; createdAt: Date },
): Promise<(SecretGrant & { secretId: string }) | null> {
  return newGrant.first(db, [key, id, command, folder, createdAt]);
}

const deletedGrant = defineQuery({
  name: "delete-secret-grant",
  row: SECRET_ID,
  text: `
    DELETE FROM secret_grants WHERE id = $2 AND secret_id = (SELECT id FROM secrets WHERE key = $1)
    RETURNING secret_id AS "secretId"`,
});

/** Returns the id of the secret; null if there was no such grant. */
export async function deleteGrant(db: Queryable, key: string, id: string): Promise<string | null> {
  return (await deletedGrant.first(db, [key, id]))?.secretId ?? null;
}
