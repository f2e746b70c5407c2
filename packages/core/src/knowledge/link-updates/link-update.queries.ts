import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import type { PathChange } from "../file-records/link-plan.queries.ts";
import type { PlannedLink } from "../markdown/link-rewrite.ts";
import type { TagRename } from "../markdown/tag-rename.ts";
import type { VaultPath } from "../vault/vault-path.ts";

const PENDING = {
  documentId: column.uuid,
  path: column.text.as<VaultPath>(),
  creatorId: column.uuid,
  author: column.json.as<Author>().nullable,
  targets: column.json.as<readonly PlannedLink[]>(),
  beforeHash: column.text.nullable,
  afterHash: column.text.nullable,
  isRestored: column.boolean,
  tagRename: column.json.as<TagRename>().nullable,
};
/** A document whose links have yet to be changed. */
export type PendingFile = Readonly<RowOf<typeof PENDING>>;

const pendingFiles = defineQuery({
  name: "select-pending-link-files",
  row: PENDING,
  text: `
    SELECT f.document_id AS "documentId", d.path, d.creator_id AS "creatorId", u.author, f.targets, f.before_hash AS "beforeHash",
      f.after_hash AS "afterHash", f.is_restored AS "isRestored", u.tag_rename AS "tagRename"
    FROM link_update_files f JOIN link_updates u ON u.id = f.update_id JOIN documents d ON d.id = f.document_id
    WHERE f.update_id = $1 AND NOT f.is_done AND d.deleted_at IS NULL ORDER BY d.path`,
});

/** The documents whose links have yet to be changed. */
export function selectPendingFiles(db: Queryable, updateId: string): Promise<PendingFile[]> {
  return pendingFiles.all(db, [updateId]);
}

/** What is about to be written in place of a document's content. */
export interface IntendedContent {
  readonly documentId: string;
  readonly beforeHash: string;
  readonly afterHash: string;
  readonly links: number;
  /** The links as they will be. */
  readonly targets: readonly PlannedLink[];
}

const intendedContents = defineCommand({
  name: "put-intended-contents",
  text: `
    UPDATE link_update_files f SET
      before_hash = CASE WHEN f.after_hash = r."beforeHash" AND NOT f.is_restored THEN f.before_hash ELSE r."beforeHash" END,
      after_hash = r."afterHash", links = r.links, targets = f.targets || r.targets
    FROM jsonb_to_recordset($2::jsonb)
      AS r ("documentId" uuid, "beforeHash" text, "afterHash" text, links int, targets jsonb)
    WHERE f.update_id = $1 AND f.document_id = r."documentId"`,
});

/** Records contents before they are written. */
export async function putIntendedContents(
  db: Queryable,
  updateId: string,
  contents: readonly IntendedContent[],
): Promise<void> {
  if (contents.length > 0) await intendedContents.run(db, [updateId, JSON.stringify(contents)]);
}

const refusedFiles = defineCommand({
  name: "refuse-restored-files",
  text: `
    UPDATE link_update_files SET is_restored = false, is_refused = true, links = 0, before_hash = NULL, after_hash = NULL
    WHERE update_id = $1 AND document_id = ANY($2::uuid[])`,
});

/** Records that documents cannot get back an earlier content, because they have been changed since. */
export async function refuseRestored(db: Queryable, updateId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await refusedFiles.run(db, [updateId, ids]);
}

const doneFiles = defineCommand({
  name: "finish-link-files",
  text: "UPDATE link_update_files SET is_done = true WHERE update_id = $1 AND document_id = ANY($2::uuid[])",
});

export async function finishFiles(db: Queryable, updateId: string, ids: readonly string[]): Promise<void> {
  await doneFiles.run(db, [updateId, ids]);
}

const reopenedFiles = defineCommand({
  name: "reopen-link-files",
  text: "UPDATE link_update_files SET is_done = false WHERE update_id = $1 AND links > 0 AND NOT is_restored",
});

/** Has the links of an update checked once more. */
export async function reopenFiles(db: Queryable, updateId: string): Promise<void> {
  await reopenedFiles.run(db, [updateId]);
}

const doneUpdate = defineCommand({
  name: "finish-link-update",
  text: `
    UPDATE link_updates u SET is_done = true WHERE id = $1 AND NOT EXISTS (
      SELECT FROM link_update_files f JOIN documents d ON d.id = f.document_id
      WHERE f.update_id = u.id AND NOT f.is_done AND d.deleted_at IS NULL)`,
});

/** Marks an update as done if nothing is left to do. */
export async function finishUpdate(db: Queryable, updateId: string): Promise<void> {
  await doneUpdate.run(db, [updateId]);
}

const unfinished = defineQuery({
  name: "select-unfinished-link-updates",
  row: { id: column.uuid },
  text: "SELECT id FROM link_updates WHERE NOT is_done AND created_at > $1 ORDER BY created_at, id",
});

/** The updates since a time that are not done, the oldest first. */
export async function selectUnfinished(db: Queryable, since: Date): Promise<string[]> {
  return (await unfinished.all(db, [since])).map(({ id }) => id);
}

const UPDATE = {
  id: column.uuid,
  origin: column.text.as<"request" | "outside" | "undo">(),
  moves: column.json.as<readonly PathChange[]>(),
  tagRename: column.json.as<TagRename>().nullable,
  isDone: column.boolean,
  undoneById: column.uuid.nullable,
  createdAt: column.timestamp,
  links: column.safeInteger.neverNull,
  notes: column.safeInteger.neverNull,
};
export type StoredLinkUpdate = Readonly<RowOf<typeof UPDATE>>;

const COLUMNS = `
  u.id, u.origin, u.moves, u.tag_rename AS "tagRename", u.is_done AS "isDone", u.undone_by_id AS "undoneById", u.created_at AS "createdAt",
  coalesce(c.links, 0) AS links, coalesce(c.notes, 0) AS notes`;

const COUNTS = `
  LEFT JOIN LATERAL (
    SELECT sum(links) AS links, count(*) AS notes FROM link_update_files
    WHERE update_id = u.id AND links > 0 AND after_hash IS NOT NULL
  ) AS c ON true`;

const updateById = defineQuery({
  name: "select-link-update",
  row: UPDATE,
  text: `SELECT ${COLUMNS} FROM link_updates u ${COUNTS} WHERE u.id = $1`,
});

export function selectLinkUpdate(db: Queryable, id: string): Promise<StoredLinkUpdate | null> {
  return updateById.first(db, [id]);
}

const recentUpdates = defineQuery({
  name: "select-recent-link-updates",
  row: UPDATE,
  text: `SELECT ${COLUMNS} FROM link_updates u ${COUNTS} ORDER BY u.created_at DESC, u.id DESC LIMIT $1`,
});

/** The newest updates first. */
export function selectRecentUpdates(db: Queryable, limit: number): Promise<StoredLinkUpdate[]> {
  return recentUpdates.all(db, [limit]);
}

const refused = defineQuery({
  name: "select-refused-link-files",
  row: { id: column.uuid, path: column.text },
  text: `
    SELECT d.id, d.path FROM link_update_files f JOIN documents d ON d.id = f.document_id
    WHERE f.update_id = $1 AND f.is_refused ORDER BY d.path`,
});

/** The documents that did not get back an earlier content. */
export function selectRefused(db: Queryable, updateId: string): Promise<{ id: string; path: string }[]> {
  return refused.all(db, [updateId]);
}

const undoneUpdate = defineQuery({
  name: "claim-undo-of-link-update",
  row: { id: column.uuid },
  text: "UPDATE link_updates SET undone_by_id = $2 WHERE id = $1 AND undone_by_id IS NULL RETURNING id",
});

/** Records by which update another one is undone. Returns false if it has been undone already. */
export async function claimUndo(client: PoolClient, id: string, byId: string): Promise<boolean> {
  return (await undoneUpdate.first(client, [id, byId])) !== null;
}

const undoingUpdate = defineCommand({
  name: "put-undoing-link-update",
  text: `
    WITH durable AS MATERIALIZED (SELECT set_config('synchronous_commit', 'on', true))
    INSERT INTO link_updates (id, origin, moves, created_at) SELECT $1, 'undo', $2::jsonb, $3 FROM durable
    ON CONFLICT (id) DO NOTHING`,
});

const restoredFiles = defineCommand({
  name: "put-restored-files",
  text: `
    INSERT INTO link_update_files (update_id, document_id, targets, links, before_hash, after_hash, is_restored)
    SELECT $2, document_id, '[]', links, after_hash, before_hash, true FROM link_update_files
    WHERE update_id = $1 AND links > 0 AND before_hash IS NOT NULL AND after_hash IS NOT NULL
    ON CONFLICT (update_id, document_id) DO UPDATE
      SET links = excluded.links, before_hash = excluded.before_hash, after_hash = excluded.after_hash, is_restored = true`,
});

/** Records that an update gives the documents that another one has changed their contents back. */
export async function putUndoing(
  client: PoolClient,
  id: string,
  by: { readonly id: string; readonly moves: readonly PathChange[]; readonly createdAt: Date },
): Promise<void> {
  await undoingUpdate.run(client, [by.id, JSON.stringify(by.moves), by.createdAt]);
  await restoredFiles.run(client, [id, by.id]);
}

const oldUpdates = defineCommand({
  name: "delete-old-link-updates",
  text: "DELETE FROM link_updates WHERE created_at < $1",
});

export async function deleteUpdatesBefore(db: Queryable, before: Date): Promise<void> {
  await oldUpdates.run(db, [before]);
}
