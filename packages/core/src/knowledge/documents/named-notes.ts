import type { Queryable } from "@workspace/db";
import { inSlices } from "../../platform/in-slices.ts";
import { createLinkResolver, findLinks, linkNameOf, readingsOf } from "../markdown/wiki-links.ts";
import { selectByLinkNames } from "./document-link.queries.ts";

/** More than anybody writes into the description of a task. */
const MAX_NAMED = 100;
/** So many names are looked up at once. */
const MAX_NAMES = 5_000;

export interface FoundNote {
  readonly id: string;
  readonly title: string;
  readonly path: string;
}

/** The documents to which the links of a text outside the vault refer, such as `[[note]]`, once each. */
export async function findNamedNotes(db: Queryable, text: string): Promise<FoundNote[]> {
  return (await findNotesNamedIn(db, [text]))[0] ?? [];
}

/** The same for each of many texts. */
export async function findNotesNamedIn(db: Queryable, texts: readonly string[]): Promise<FoundNote[][]> {
  const linksOf: ReturnType<typeof findLinks>[] = [];
  const names = new Set<string>();
  await inSlices(texts, (text) => {
    const links = text.includes("[") ? findLinks(text).slice(0, MAX_NAMED) : [];
    for (const link of links) for (const reading of readingsOf(link)) names.add(linkNameOf(reading));
    linksOf.push(links);
  });
  if (names.size === 0) return texts.map(() => []);
  const all = [...names];
  const documents: Awaited<ReturnType<typeof selectByLinkNames>> = [];
  for (let from = 0; from < all.length; from += MAX_NAMES)
    documents.push(...(await selectByLinkNames(db, all.slice(from, from + MAX_NAMES))));
  const resolve = createLinkResolver(documents);
  const found: FoundNote[][] = [];
  await inSlices(linksOf, (links) => {
    const notes = links.flatMap((link) => resolve(link, "")?.document ?? []);
    found.push([...new Map(notes.map(({ id, title, path }) => [id, { id, title, path }])).values()]);
  });
  return found;
}
