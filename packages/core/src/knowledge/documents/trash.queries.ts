import { column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";
import type { VaultPath } from "../vault/vault-path.ts";

const referencedTrashIds = defineQuery({
  name: "select-referred-trash-ids",
  row: { id: column.text.neverNull },
  text: "SELECT DISTINCT split_part(trash_key, '/', 1) AS id FROM documents WHERE trash_key IS NOT NULL",
});

/** The trash folders that documents refer to. */
export async function selectReferencedTrashIds(db: Queryable): Promise<Set<string>> {
  return new Set((await referencedTrashIds.all(db)).map(({ id }) => id));
}

const unmarkedTrash = defineQuery({
  name: "select-trashed-unawares",
  row: { id: column.uuid, path: column.text.as<VaultPath>() },
  text: `
    SELECT id, path FROM documents
    WHERE (path = $1 OR starts_with(path, $1 || '/')) AND trash_key IS NULL AND (deleted_at IS NULL OR deleted_at >= $2)
    FOR UPDATE`,
});

/**
 * Documents at or below a path that do not refer to the trash although their files may be there: active ones, and those whose
 * files have been missing since.
 */
export function selectUnmarkedTrash(
  db: PoolClient,
  path: VaultPath,
  since: Date,
): Promise<{ id: string; path: VaultPath }[]> {
  return unmarkedTrash.all(db, [path, since]);
}

const newTrashKeys = defineCommand({
  name: "set-trash-keys",
  text: `
    UPDATE documents d SET trash_key = r."trashKey", deleted_at = COALESCE(d.deleted_at, $2)
    FROM jsonb_to_recordset($1::jsonb) AS r (id uuid, "trashKey" text) WHERE d.id = r.id`,
});

export async function setTrashKeys(
  db: PoolClient,
  documents: readonly { readonly id: string; readonly trashKey: string }[],
  deletedAt: Date,
): Promise<void> {
  await newTrashKeys.run(db, [JSON.stringify(documents), deletedAt]);
}

const clearedTrashKeys = defineCommand({
  name: "clear-trash-keys",
  text: "UPDATE documents SET trash_key = NULL WHERE split_part(trash_key, '/', 1) = ANY($1::text[])",
});

/** Removes all references to trash folders that no longer exist. */
export async function clearTrashKeys(db: PoolClient, ids: readonly string[]): Promise<void> {
  await clearedTrashKeys.run(db, [ids]);
}
