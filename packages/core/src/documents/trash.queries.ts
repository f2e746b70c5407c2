import type { PoolClient } from "@workspace/db";
import type { VaultPath } from "../vault/vault-path.ts";
import type { Queryable } from "./document.queries.ts";

/** The trash folders that documents refer to. */
export async function selectReferredTrashIds(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    "SELECT DISTINCT split_part(trash_key, '/', 1) AS id FROM documents WHERE trash_key IS NOT NULL",
  );
  return new Set(rows.map(({ id }) => id));
}

/** Documents at a path or below it whose files may be in the trash unknown to them: active ones, and those found missing since. */
export async function selectTrashedUnawares(
  db: PoolClient,
  path: VaultPath,
  since: Date,
): Promise<{ id: string; path: VaultPath }[]> {
  const { rows } = await db.query<{ id: string; path: VaultPath }>(
    `SELECT id, path FROM documents
     WHERE (path = $1 OR starts_with(path, $1 || '/')) AND trash_key IS NULL AND (deleted_at IS NULL OR deleted_at >= $2)
     FOR UPDATE`,
    [path, since],
  );
  return rows;
}

export async function setTrashKeys(
  db: PoolClient,
  documents: readonly { readonly id: string; readonly trashKey: string }[],
  deletedAt: Date,
): Promise<void> {
  await db.query(
    `UPDATE documents d SET trash_key = r."trashKey", deleted_at = COALESCE(d.deleted_at, $2)
     FROM jsonb_to_recordset($1::jsonb) AS r (id uuid, "trashKey" text) WHERE d.id = r.id`,
    [JSON.stringify(documents), deletedAt],
  );
}

/** For folders that are not in the trash any more. */
export async function clearTrashKeys(db: PoolClient, ids: readonly string[]): Promise<void> {
  await db.query("UPDATE documents SET trash_key = NULL WHERE split_part(trash_key, '/', 1) = ANY($1::text[])", [ids]);
}
