import type { Document } from "../document.ts";

/** A longer text is read when it is opened. */
export const MAX_TEXT_BYTES = 1_000_000;
/** Some 30,000 notes. */
const MAX_BYTES = 100_000_000;
/** Of what the browser lets the site store, and of what is left of that. */
const MAX_SHARE = 0.2;
const MAX_SHARE_OF_FREE = 0.5;

/** How much the browser lets the site store, in bytes. */
interface Storage {
  readonly quota?: number | undefined;
  readonly usage?: number | undefined;
}

/** How many bytes of texts are kept, of which `kept` are kept already. */
export function maxBytesOf({ quota, usage }: Storage, kept: number): number {
  if (quota === undefined || usage === undefined) return MAX_BYTES;
  const free = Math.max(quota - usage, 0);
  return Math.min(MAX_BYTES, quota * MAX_SHARE, kept + free * MAX_SHARE_OF_FREE);
}

/** Whether a document has a text that is kept as long as there is room. */
export function hasText({ fileType, deletedAt }: Document): boolean {
  return deletedAt === null && fileType !== "binary";
}

/** The documents whose texts are kept: those changed last, as many as there is room for, and no very long ones. */
export function chooseTexts(documents: Iterable<Document>, maxBytes: number): Document[] {
  let room = maxBytes;
  return [...documents]
    .filter((document) => hasText(document) && document.size <= MAX_TEXT_BYTES)
    .toSorted((one, other) => (one.modifiedAt < other.modifiedAt ? 1 : -1))
    .filter(({ size }) => (room -= size) >= 0);
}

/** Divides documents into batches of at most so many bytes, or one document, and at most so many documents. */
export function* inBatches(
  documents: readonly Document[],
  { maxBytes, maxCount }: { readonly maxBytes: number; readonly maxCount: number },
): Generator<Document[]> {
  let batch: Document[] = [];
  let bytes = 0;
  for (const document of documents) {
    if (batch.length > 0 && (batch.length === maxCount || bytes + document.size > maxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(document);
    bytes += document.size;
  }
  if (batch.length > 0) yield batch;
}
