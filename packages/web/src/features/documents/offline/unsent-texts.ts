import type { Client } from "../../../client/client.ts";
import { outbox } from "../../outbox/outbox.ts";
import { bodyOf } from "../new-notes/unsent-note.ts";
import { documentDrafts } from "../session/draft-store.ts";

/** The texts of documents that the server does not have yet, as they were last written in this browser, by the ids of the documents. */
export async function unsentTexts(client: Client): Promise<ReadonlyMap<string, string>> {
  const created = outbox(client)
    .changes.get()
    .flatMap(({ rowId, change }) => (change.kind === "create-note" ? [[rowId, bodyOf(change.content)] as const] : []));
  return new Map([...created, ...(await documentDrafts(client).newestTexts())]);
}
