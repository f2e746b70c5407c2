import type { Document } from "../features/documents/document.ts";

let count = 0;

/** A document for tests, with the given fields. */
export function sampleDocument(part: Partial<Document> = {}): Document {
  count += 1;
  return {
    id: `document-${count}`,
    title: `Document ${count}`,
    path: `document-${count}.md`,
    fileType: "markdown",
    shared: false,
    shareType: null,
    tags: [],
    textTags: [],
    projectId: null,
    project: null,
    size: 100,
    contentHash: `hash-${count}`,
    createdAt: "2026-01-01T00:00:00.000Z",
    modifiedAt: "2026-01-01T00:00:00.000Z",
    deletedAt: null,
    ...part,
  };
}
