import { computeInSlices, type Pausable } from "../../../browser/compute-in-slices.ts";
import type { Client } from "../../../client/client.ts";
import { localCopy } from "../../../local-copy/local-copy.ts";
import { documentCollection } from "../document-collection.ts";
import type { Document, OpenDocument } from "../document.ts";
import { unsentTexts } from "./unsent-texts.ts";
import { findFolded, foldedWordsOf, foldText, type TextPart } from "./folded-text.ts";

const BEFORE = 16;
const AFTER = 144;

/** A document with all words of a query, as far as it is known without the server. */
export interface KeptHit {
  readonly document: Document;
  /** The text around the first word; null if the words are in the name. */
  readonly excerpt: string | null;
}

/**
 * Searches the names of all documents, and the texts that are kept on this device, as they were last written here. Best first: those with
 * the words in their names, then those changed last.
 */
export async function searchKeptTexts(
  client: Client,
  query: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<KeptHit[]> {
  const words = foldedWordsOf(query);
  if (words.length === 0) return [];
  const hasAll = (text: string) => hasWords(text, words);
  const documents = documentCollection(client).getSnapshot();
  const named: FoundText[] = [];
  const others: FoundText[] = [];
  for (const document of documents.values())
    if (document.deletedAt === null && hasAll(nameIn(document))) named.push({ document, text: null });
  const found = new Set(named.map(({ document }) => document.id));
  const search = (id: string, text: string) => {
    const document = documents.get(id);
    if (document === undefined || document.deletedAt !== null || found.has(id)) return;
    if (hasAll(`${nameIn(document)}\n${text}`)) others.push({ document, text });
  };
  const unsent = await unsentTexts(client);
  for (const [id, text] of unsent) search(id, text);
  const texts = (await localCopy(client).earlier())?.texts;
  for await (const slice of texts?.readTexts() ?? []) {
    if (signal.aborted) return [];
    // The dashboard that has stored it was of the same version.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    for (const { id, data } of slice) if (!unsent.has(id)) search(id, (data as OpenDocument).body);
  }
  return computeInSlices(hitsIn([...newestFirst(named), ...newestFirst(others)].slice(0, limit), words));
}

function* hitsIn(found: readonly FoundText[], words: readonly string[]): Pausable<KeptHit[]> {
  const hits: KeptHit[] = [];
  for (const { document, text } of found) {
    hits.push({ document, excerpt: text === null ? null : excerptOf(text, words) });
    yield;
  }
  return hits;
}

interface FoundText {
  readonly document: Document;
  /** Null if the words are in the name. */
  readonly text: string | null;
}

function hasWords(text: string, words: readonly string[]): boolean {
  const folded = foldText(text);
  return words.every((word) => folded.includes(word));
}

function nameIn({ title, path }: Document): string {
  return `${title}\n${path}`;
}

function newestFirst(found: readonly FoundText[]): FoundText[] {
  return found.toSorted((one, other) => (one.document.modifiedAt < other.document.modifiedAt ? 1 : -1));
}

/** The text around the first of some folded words, on one line. */
export function excerptOf(text: string, words: readonly string[]): string {
  const places = findFolded(text, words).map(({ start }) => start);
  const start = Math.max(Math.min(...places, text.length) - BEFORE, 0);
  const end = start + BEFORE + AFTER;
  const excerpt = text.slice(start, end).replaceAll(/\s+/g, " ").trim();
  return `${start > 0 ? "… " : ""}${excerpt}${end < text.length ? " …" : ""}`;
}

/** Where folded words of a query stand in a text, in order and without overlaps. */
export function placesOf(text: string, words: readonly string[]): TextPart[] {
  const places: TextPart[] = [];
  for (const place of findFolded(text, words).toSorted((one, other) => one.start - other.start))
    if (place.start >= (places.at(-1)?.end ?? 0)) places.push(place);
  return places;
}
