import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import type { Author } from "../../platform/procedures/author.ts";
import type { PlannedLink } from "../markdown/link-rewrite.ts";
import type { TagRename } from "../markdown/tag-rename.ts";
import type { VaultPath } from "../vault/vault-path.ts";

/** The old and the new path of something. */
export interface PathChange {
  readonly from: VaultPath;
  readonly to: VaultPath;
}

const STORED_LINK = {
  sourceId: column.uuid,
  sourcePath: column.text.as<VaultPath>(),
  target: column.text,
  part: column.text,
};
export type StoredLink = Readonly<RowOf<typeof STORED_LINK>>;

const affectedLinks = defineQuery({
  name: "select-affected-links",
  row: STORED_LINK,
  text: `
    SELECT d.id AS "sourceId", d.path AS "sourcePath", l.target, l.part
    FROM (
      SELECT document_id, position FROM document_links WHERE target_name = ANY($1::text[])
      UNION SELECT document_id, position FROM document_links WHERE document_id = ANY($2::uuid[])
    ) AS affected
      JOIN document_links l ON l.document_id = affected.document_id AND l.position = affected.position
      JOIN documents d ON d.id = l.document_id
    WHERE d.deleted_at IS NULL ORDER BY d.id, l.position`,
});

/** The links in active documents that may refer to a document with one of these names, and all links in some documents. */
export function selectAffectedLinks(
  db: Queryable,
  names: readonly string[],
  documentIds: readonly string[],
): Promise<StoredLink[]> {
  return affectedLinks.all(db, [names, documentIds]);
}

const LINKABLE = { id: column.uuid.neverNull, path: column.text.as<VaultPath>().neverNull };
export type LinkableDocument = Readonly<RowOf<typeof LINKABLE>>;

const linkable = defineQuery({
  name: "select-linkable",
  row: LINKABLE,
  text: `
    SELECT id, path FROM documents WHERE deleted_at IS NULL AND link_name = ANY($1::text[])
    UNION SELECT id, path FROM documents WHERE deleted_at IS NULL AND id = ANY($2::uuid[])`,
});

/** The active documents that links with these names may refer to, and those with some ids. */
export function selectLinkable(
  db: Queryable,
  names: readonly string[],
  ids: readonly string[],
): Promise<LinkableDocument[]> {
  return linkable.all(db, [names, ids]);
}

export interface NewLinkUpdate {
  readonly id: string;
  readonly origin: "request" | "outside" | "undo";
  readonly moves: readonly PathChange[];
  /** Who has moved them; null for another program. */
  readonly author: Author | null;
  /** The tag to rename in its documents, instead of changing links. */
  readonly tagRename?: TagRename;
  readonly createdAt: Date;
}

const putUpdate = defineCommand({
  name: "put-link-update",
  text: `
    WITH durable AS MATERIALIZED (SELECT set_config('synchronous_commit', 'on', true))
    INSERT INTO link_updates AS u (id, origin, moves, author, created_at, tag_rename)
    SELECT $1, $2, $3::jsonb, $4::jsonb, $5, $6::jsonb FROM durable
    ON CONFLICT (id) DO UPDATE SET moves = u.moves || excluded.moves, is_done = false`,
});

const putFiles = defineCommand({
  name: "put-link-update-files",
  text: `
    INSERT INTO link_update_files AS f (update_id, document_id, targets)
    SELECT $1, r.id, r.targets FROM jsonb_to_recordset($2::jsonb) AS r (id uuid, targets jsonb)
    ON CONFLICT (update_id, document_id) DO UPDATE SET targets = f.targets || excluded.targets`,
});

/**
 * Records what an update will change, durably. An update may be recorded in several parts: of two links that are written alike, the
 * first counts.
 */
export async function putLinkUpdate(
  client: PoolClient,
  { id, origin, moves, author, createdAt, tagRename }: NewLinkUpdate,
  links: ReadonlyMap<string, readonly PlannedLink[]>,
): Promise<void> {
  const writtenBy = author && JSON.stringify(author);
  const rename = tagRename === undefined ? null : JSON.stringify(tagRename);
  await putUpdate.run(client, [id, origin, JSON.stringify(moves), writtenBy, createdAt, rename]);
  const rows = [...links].map(([documentId, targets]) => ({ id: documentId, targets }));
  await putFiles.run(client, [id, JSON.stringify(rows)]);
}
