import type { Client } from "../../../client/client.ts";
import { openSessions } from "./open-sessions.ts";

/** Saves a draft of a document that is not open, unless somebody else has changed the same lines: then the draft stays. */
export async function saveAbandonedDraft(client: Client, id: string): Promise<void> {
  const sessions = openSessions(client);
  if (sessions.has(id)) return;
  const { data: opened } = await client.api.documents.get.query({ id });
  if (opened.document.deletedAt !== null) return;
  const release = sessions.acquire(id, await sessions.open(opened));
  release();
}

/** Saves what was written in a document, here or in an earlier visit. What fails is retried with other drafts. */
export async function saveText(client: Client, id: string): Promise<void> {
  if (openSessions(client).has(id)) await openSessions(client).flush();
  else await saveAbandonedDraft(client, id).catch(() => undefined);
}
