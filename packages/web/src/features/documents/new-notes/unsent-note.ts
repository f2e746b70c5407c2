import type { Client } from "../../../client/client.ts";
import { RESTORED } from "../../../local-copy/local-copy.ts";
import type { NewNote } from "../../tasks/outbox/kept-change.ts";
import { documentQuery } from "../document-collection.ts";
import { isMarkdownPath, shownName, type Document } from "../document.ts";

/** A note as it is shown until the server has it. */
export function unsentDocument(id: string, { path, content, at }: NewNote): Document {
  return {
    id,
    title: shownName(path),
    path,
    fileType: isMarkdownPath(path) ? "markdown" : "text",
    shared: false,
    shareType: null,
    tags: [],
    textTags: [],
    projectId: null,
    project: null,
    size: content.length,
    contentHash: "",
    createdAt: at,
    modifiedAt: at,
    deletedAt: null,
  };
}

/** A note as it is shown: if the server turns out to have it under a former path, as it is there, under the present one. */
export function withUnsent(id: string, note: NewNote, stored: Document | undefined): Document {
  if (stored === undefined) return unsentDocument(id, note);
  return note.formerPaths.includes(stored.path) ? { ...stored, path: note.path } : stored;
}

/** Has a note open with the text that it begins with, until it can be read from the server. It is not part of the local copy. */
export function showUnsentText(client: Client, id: string, note: NewNote): void {
  const { queryKey } = documentQuery(client, id);
  client.queries.setQueryDefaults(queryKey, { gcTime: Infinity });
  client.queries.setQueryData(
    queryKey,
    (opened) => opened ?? { document: unsentDocument(id, note), metadata: {}, body: note.content, author: null },
    { updatedAt: RESTORED },
  );
}
