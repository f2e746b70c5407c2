import type { VaultPath } from "../vault/vault-path.ts";
import type { DocumentPlace } from "./document-writes.queries.ts";
import type { Queryable } from "./document.queries.ts";

/** What a document links to, in the order of its text. */
export async function selectLinkTargets(
  db: Queryable,
  documentId: string,
): Promise<{ target: string; name: string }[]> {
  const { rows } = await db.query<{ target: string; name: string }>(
    `SELECT target, target_name AS name FROM document_links WHERE document_id = $1 ORDER BY position`,
    [documentId],
  );
  return rows;
}

/** The active documents whose links could mean a document of this name, with what those links say. */
export async function selectLinksTo(db: Queryable, name: string): Promise<{ source: DocumentPlace; target: string }[]> {
  const { rows } = await db.query<{ id: string; path: VaultPath; title: string; target: string }>(
    `SELECT d.id, d.path, d.title, l.target FROM document_links l JOIN documents d ON d.id = l.document_id
     WHERE l.target_name = $1 AND d.deleted_at IS NULL ORDER BY d.path`,
    [name],
  );
  return rows.map(({ target, ...source }) => ({ source, target }));
}

/** The active documents that links of these names could mean. */
export async function selectByLinkNames(
  db: Queryable,
  names: readonly string[],
): Promise<(DocumentPlace & { linkName: string })[]> {
  const { rows } = await db.query<DocumentPlace & { linkName: string }>(
    `SELECT id, path, title, link_name AS "linkName" FROM documents
     WHERE link_name = ANY($1::text[]) AND deleted_at IS NULL ORDER BY path`,
    [names],
  );
  return rows;
}
