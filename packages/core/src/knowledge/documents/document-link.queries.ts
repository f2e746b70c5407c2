import { column, defineQuery, type Queryable } from "@workspace/db";
import type { DocumentPlace } from "../file-records/document-writes.queries.ts";
import type { LinkTarget } from "../markdown/wiki-links.ts";
import type { VaultPath } from "../vault/vault-path.ts";

const LINK = { target: column.text, part: column.text };

const linkTargets = defineQuery({
  name: "select-link-targets",
  row: LINK,
  text: "SELECT target, part FROM document_links WHERE document_id = $1 ORDER BY position",
});

/** What a document links to, in the order of its text. */
export function selectLinkTargets(db: Queryable, documentId: string): Promise<LinkTarget[]> {
  return linkTargets.all(db, [documentId]);
}

const PLACE = { id: column.uuid, path: column.text.as<VaultPath>(), title: column.text };

const linksToName = defineQuery({
  name: "select-links-to",
  row: { ...PLACE, ...LINK },
  text: `
    SELECT d.id, d.path, d.title, l.target, l.part FROM document_links l JOIN documents d ON d.id = l.document_id
    WHERE l.target_name = ANY($1::text[]) AND d.deleted_at IS NULL ORDER BY d.path`,
});

/** The active documents with links that may refer to a document with these names (see `linkNamesTo`), together with the links. */
export async function selectLinksTo(
  db: Queryable,
  names: readonly string[],
): Promise<{ source: DocumentPlace; link: LinkTarget }[]> {
  const links = await linksToName.all(db, [names]);
  return links.map(({ target, part, ...source }) => ({ source, link: { target, part } }));
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
