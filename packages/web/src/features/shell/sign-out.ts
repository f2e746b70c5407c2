import type { AnyRouter } from "@tanstack/react-router";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { toasts } from "../../components/toast.ts";
import { endSession } from "../auth/change-session.ts";
import { openSessions } from "../documents/session/open-sessions.ts";
import { countUnsavedTexts } from "../documents/session/unsaved-texts.ts";
import { countChanges } from "../outbox/count-changes.ts";
import { outbox } from "../outbox/outbox.ts";

const TOAST_ID = "sign-out";

/** Signs out; asks before if there are changes that have not been sent, which it would discard, or unsaved texts of notes. */
export async function askAndSignOut(client: Client, router: AnyRouter): Promise<void> {
  const kept = outbox(client);
  await Promise.all([kept.send(), openSessions(client).flush()]);
  const changes = kept.changes.get();
  const texts = await countUnsavedTexts(client);
  if (changes.length === 0 && texts === 0) return signOut(client, router);
  toasts(client).show({
    id: TOAST_ID,
    message: describeUnsaved(changes.length, texts),
    detail: [
      ...(changes.length > 0 ? ["Signing out would discard what has not been sent."] : []),
      ...(texts > 0 ? ["Text that is not saved stays in this browser until you sign in here again."] : []),
    ].join(" "),
    tone: "danger",
    action: {
      label: changes.length > 0 ? "Sign out and discard" : "Sign out anyway",
      run: () => void signOut(client, router),
    },
  });
}

/** "2 changes have not been sent, and 1 note has unsaved text" */
function describeUnsaved(changes: number, texts: number): string {
  const unsent = changes === 0 ? [] : [`${countChanges(changes)} ${changes === 1 ? "has" : "have"} not been sent`];
  const unsaved =
    texts === 0
      ? []
      : [texts === 1 ? "1 note has unsaved text" : `${texts.toLocaleString("en")} notes have unsaved text`];
  return [...unsent, ...unsaved].join(", and ");
}

/** Discards what has not been sent only once the session has ended: without the server it cannot end. */
async function signOut(client: Client, router: AnyRouter): Promise<void> {
  try {
    await endSession(client, router, () => outbox(client).discardAll());
    toasts(client).dismiss(TOAST_ID);
  } catch (error) {
    toasts(client).show({
      id: TOAST_ID,
      message: "Could not sign out",
      detail: toRequestError(error).message,
      tone: "danger",
      stays: true,
    });
  }
}
