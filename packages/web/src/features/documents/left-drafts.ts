import { trpcClient } from "../../api/trpc.ts";
import { isBasedOn } from "./document-session.ts";
import { findLeftDrafts } from "./draft-store.ts";
import { hasSession, holdSession, openSession, toSavedText } from "./open-sessions.ts";

/** Saves the draft of a document that nobody looks at, unless somebody else has changed the text: then it stays. */
export async function saveLeftDraft(id: string): Promise<void> {
  if (hasSession(id)) return;
  const { data: opened } = await trpcClient.documents.get.query({ id });
  if (opened.document.deletedAt !== null) return;
  const [left] = await findLeftDrafts(id);
  if (left === undefined || !isBasedOn(left.draft, toSavedText(opened))) return;
  const leave = holdSession(id, await openSession(opened));
  leave();
}
