import { useEffect, useState, useSyncExternalStore } from "react";
import { useClient } from "../../../client/use-client.ts";
import type { DocumentSession } from "./document-session.ts";
import { documentReads } from "../document-collection.ts";
import type { OpenDocument } from "../document.ts";
import { openSessions, toSavedText } from "./open-sessions.ts";
import type { SessionState } from "./session-state.ts";

const NOTHING: SessionState = { text: "", saving: { kind: "saved" } };

/** The session of a document while it is shown; null while drafts are being looked up. */
export function useSession(opened: OpenDocument): DocumentSession | null {
  const client = useClient();
  const { id } = opened.document;
  const [session, setSession] = useState<DocumentSession | null>(null);
  useEffect(() => {
    let release: (() => void) | undefined;
    let isReleased = false;
    void openSessions(client)
      .open(opened)
      .then((found) => {
        if (isReleased) return;
        release = openSessions(client).acquire(id, found);
        setSession(found);
      });
    return () => {
      isReleased = true;
      release?.();
    };
    // A session is opened once per document; later versions are passed to `receive`.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
  useEffect(() => {
    session?.receive(toSavedText(opened), documentReads(client).get(id) ?? 0);
  }, [client, id, session, opened]);
  return session;
}

export function useSessionState(session: DocumentSession | null): SessionState {
  return useSyncExternalStore(
    (listener) => session?.subscribe(listener) ?? (() => undefined),
    () => session?.getSnapshot() ?? NOTHING,
  );
}
