import type { Client } from "../../../client/client.ts";
import { matchesAll, wordsOf } from "../../../lists/text-match.ts";
import { localCopy } from "../../../local-copy/local-copy.ts";
import { documentCollection } from "../document-collection.ts";
import type { Document, OpenDocument } from "../document.ts";

const BEFORE = 16;
const AFTER = 144;

/** A document with all words of a query, as far as it is known without the server. */
export interface KeptHit {
  readonly document: Document;
  /** The text around the first word; null if the words are in the name. */
  readonly excerpt: string | null;
}

/**
 * Searches the names of all documents, and the texts that are kept on this device. Best first: those with the words in their names, then
 * those changed last. Texts that have been written since the server is away are not searched.
 */
export async function searchKeptTexts(
  client: Client,
  query: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<KeptHit[]> {
  const words = wordsOf(query);
  const documents = documentCollection(client).getSnapshot();
  const named: KeptHit[] = [];
  const others: KeptHit[] = [];
  for (const document of documents.values())
    if (document.deletedAt === null && matchesAll(nameIn(document), query)) named.push({ document, excerpt: null });
  const found = new Set(named.map(({ document }) => document.id));
  const texts = (await localCopy(client).earlier())?.texts;
  for await (const slice of texts?.readTexts() ?? []) {
    if (signal.aborted) return [];
    for (const { id, data } of slice) {
      const document = documents.get(id);
      if (document === undefined || document.deletedAt !== null || found.has(id)) continue;
      // The dashboard that has stored it was of the same version.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const { body } = data as OpenDocument;
      if (matchesAll(`${nameIn(document)}\n${body}`, query)) others.push({ document, excerpt: excerptOf(body, words) });
    }
  }
  return [...newestFirst(named), ...newestFirst(others)].slice(0, limit);
}

function nameIn({ title, path }: Document): string {
  return `${title}\n${path}`;
}

function newestFirst(hits: readonly KeptHit[]): KeptHit[] {
  return hits.toSorted((one, other) => (one.document.modifiedAt < other.document.modifiedAt ? 1 : -1));
}

/** The text around the first of some words, on one line. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(Math.min(...places, text.length) - BEFORE, 0);
  const end = start + BEFORE + AFTER;
  const excerpt = text.slice(start, end).replaceAll(/\s+/g, " ").trim();
  return `${start > 0 ? "… " : ""}${excerpt}${end < text.length ? " …" : ""}`;
}

/** Where words of a query stand in a text, in order and without overlaps. */
export function placesOf(text: string, words: readonly string[]): { start: number; end: number }[] {
  const lower = text.toLowerCase();
  const places: { start: number; end: number }[] = [];
  const all = words.flatMap((word) => {
    const start = lower.indexOf(word);
    return start < 0 ? [] : [{ start, end: start + word.length }];
  });
  for (const place of all.toSorted((one, other) => one.start - other.start))
    if (place.start >= (places.at(-1)?.end ?? 0)) places.push(place);
  return places;
}
