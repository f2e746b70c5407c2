import type { Queryable } from "@workspace/db";
import { createLinkResolver, findLinks, linkNameOf, readingsOf } from "../markdown/wiki-links.ts";
import { selectByLinkNames } from "./document-link.queries.ts";

/** More than anybody writes into the description of a task. */
const MAX_NAMED = 100;

/** The documents to which the links of a text outside the vault refer, such as `[[note]]`, once each. */
export async function findNamedNotes(db: Queryable, text: string): Promise<{ id: string; title: string }[]> {
  const links = findLinks(text).slice(0, MAX_NAMED);
  if (links.length === 0) return [];
  const names = [...new Set(links.flatMap((link) => readingsOf(link).map(linkNameOf)))];
  const resolve = createLinkResolver(await selectByLinkNames(db, names));
  const found = links.flatMap((link) => resolve(link, "")?.document ?? []);
  return [...new Map(found.map(({ id, title }) => [id, { id, title }])).values()];
}
