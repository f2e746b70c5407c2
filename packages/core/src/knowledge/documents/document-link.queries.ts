import { column, defineQuery, type Queryable } from "@workspace/db";
import type { DocumentPlace } from "../file-records/document-writes.queries.ts";
import type { VaultPath } from "../vault/vault-path.ts";

const linkTargets = defineQuery({
  name: "select-link-targets",
  row: { target: column.text, name: column.text },
  text: "SELECT target, target_name AS name FROM document_links WHERE document_id = $1 ORDER BY position",
});

/** The link targets of a document, in the order of its text. */
export function selectLinkTargets(db: Queryable, documentId: string): Promise<{ target: string; name: string }[]> {
  return linkTargets.all(db, [documentId]);
}

const PLACE = { id: column.uuid, path: column.text.as<VaultPath>(), title: column.text };

const linksToName = defineQuery({
  name: "select-links-to",
  row: { ...PLACE, target: column.text },
  text: `
    SELECT d.id, d.path, d.title, l.target FROM document_links l JOIN documents d ON d.id = l.document_id
    WHERE l.target_name = $1 AND d.deleted_at IS NULL ORDER BY d.path`,
});

/** The active documents with links that may refer to a document with this name, together with the targets of those links. */
export async function selectLinksTo(db: Queryable, name: string): Promise<{ source: DocumentPlace; target: string }[]> {
  const links = await linksToName.all(db, [name]);
  return links.map(({ target, ...source }) => ({ source, target }));
}

const documentsByLinkName = defineQuery({
  name: "select-by-link-names",
  row: { ...PLACE, linkName: column.text },
  text: `
    SELECT id, path, title, link_name AS "linkName" FROM documents
    WHERE link_name = ANY($1::text[]) AND deleted_at IS NULL ORDER BY path`,
});

/** The active documents that links with these names may refer to. */
export function selectByLinkNames(
  db: Queryable,
  names: readonly string[],
): Promise<(DocumentPlace & { linkName: string })[]> {
  return documentsByLinkName.all(db, [names]);
}
