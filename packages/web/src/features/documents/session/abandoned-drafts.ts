import type { Client } from "../../../client/client.ts";
import { openSessions } from "./open-sessions.ts";

/** Saves a draft of a document that is not open, unless somebody else has changed the same lines: then the draft stays. */
export async function saveAbandonedDraft(client: Client, id: string): Promise<void> {
  if (!openSessions(client).has(id)) (await hold(client, id))?.();
}

/**
 * Saves what was written in a document, here or in an earlier visit, and resolves once it is saved, so that the server's text changes no
 * more because of it. What fails is retried with other drafts.
 */
export async function saveText(client: Client, id: string): Promise<void> {
  const sessions = openSessions(client);
  const release = sessions.has(id) ? null : await hold(client, id).catch(() => null);
  await sessions.save(id).finally(() => release?.());
}

/** Opens a document for editing. Returns a function that releases it, which saves its text; null if it is deleted. */
async function hold(client: Client, id: string): Promise<(() => void) | null> {
  const sessions = openSessions(client);
  const { data: opened } = await client.api.documents.get.query({ id });
  if (opened.document.deletedAt !== null) return null;
  return sessions.acquire(id, await sessions.open(opened));
}
