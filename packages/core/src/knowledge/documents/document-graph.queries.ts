import { column, defineQuery, type Queryable } from "@workspace/db";
import type { VaultPath } from "../vault/vault-path.ts";

const PLACE = { id: column.uuid, path: column.text.as<VaultPath>(), title: column.text };
const LINK = { target: column.text, part: column.text };

const linksFrom = defineQuery({
  name: "select-links-from",
  row: { ...PLACE, ...LINK },
  text: `
    SELECT d.id, d.path, d.title, l.target, l.part
    FROM document_links l JOIN documents d ON d.id = l.document_id
    WHERE l.document_id = ANY($1::uuid[]) ORDER BY l.position, l.document_id LIMIT $2`,
});

const linksNamed = defineQuery({
  name: "select-links-named",
  row: { ...PLACE, ...LINK },
  text: `
    SELECT d.id, d.path, d.title, l.target, l.part
    FROM document_links l JOIN documents d ON d.id = l.document_id
    WHERE l.target_name = ANY($1::text[]) AND d.deleted_at IS NULL ORDER BY d.modified_at DESC, l.position LIMIT $2`,
});

/** A link, with the document that it is in. */
export interface LinkWithSource {
  readonly source: { readonly id: string; readonly path: VaultPath; readonly title: string };
  readonly link: { readonly target: string; readonly part: string };
}

function toLink({ target, part, ...source }: LinkWithSource["source"] & LinkWithSource["link"]): LinkWithSource {
  return { source, link: { target, part } };
}

/** The links in some documents, the first of each first. */
export async function selectLinksFrom(db: Queryable, ids: readonly string[], limit: number): Promise<LinkWithSource[]> {
  return (await linksFrom.all(db, [ids, limit])).map(toLink);
}

/** The links that may refer to documents with some names, those in the documents changed last first. */
export async function selectLinksNamed(
  db: Queryable,
  names: readonly string[],
  limit: number,
): Promise<LinkWithSource[]> {
  return (await linksNamed.all(db, [names, limit])).map(toLink);
}
