import { normalizeLineBreaks } from "../document-text.ts";
import type { OpenDocument } from "../document.ts";

/** What the title is taken from is part of the text; tags are compared as the document has them. */
const COMPARED_ELSEWHERE = new Set(["title", "tags"]);

/** A document's text and properties in a form that is the same for the same content. */
export function contentOf({ document: { tags }, metadata, body }: OpenDocument): string {
  const fields = Object.entries(metadata)
    .filter(([name]) => !COMPARED_ELSEWHERE.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([tags, fields, normalizeLineBreaks(body)]);
}
