import type { Client } from "../../client/client.ts";
import { isBasedOn } from "./document-session.ts";
import { documentDrafts } from "./draft-store.ts";
import { openSessions, toSavedText } from "./open-sessions.ts";

/** Saves a draft of a document that is not open, unless somebody else has changed the text: then the draft stays. */
export async function saveAbandonedDraft(client: Client, id: string): Promise<void> {
  const sessions = openSessions(client);
  if (sessions.has(id)) return;
  const { data: opened } = await client.api.documents.get.query({ id });
  if (opened.document.deletedAt !== null) return;
  const [abandoned] = await documentDrafts(client).findAbandoned(id);
  if (abandoned === undefined || !isBasedOn(abandoned.draft, toSavedText(opened))) return;
  const release = sessions.acquire(id, await sessions.open(opened));
  release();
}
