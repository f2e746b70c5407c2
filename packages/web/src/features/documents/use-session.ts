import { useEffect, useState, useSyncExternalStore } from "react";
import type { DocumentSession, SessionState } from "./document-session.ts";
import type { OpenDocument } from "./document.ts";
import { holdSession, openSession, toSavedText } from "./open-sessions.ts";

const NOTHING: SessionState = { text: "", saving: { kind: "saved" } };

/** The session of a document while it is shown; null for the moment in which a draft is looked for. */
export function useSession(opened: OpenDocument): DocumentSession | null {
  const { id } = opened.document;
  const [session, setSession] = useState<DocumentSession | null>(null);
  useEffect(() => {
    let leave: (() => void) | undefined;
    let isLeft = false;
    void openSession(opened).then((found) => {
      if (isLeft) return;
      leave = holdSession(id, found);
      setSession(found);
    });
    return () => {
      isLeft = true;
      leave?.();
    };
    // A session is opened once for each document; what is read later goes through `receive`.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
  useEffect(() => session?.receive(toSavedText(opened)), [session, opened]);
  return session;
}

export function useSessionState(session: DocumentSession | null): SessionState {
  return useSyncExternalStore(
    (listener) => session?.subscribe(listener) ?? (() => undefined),
    () => session?.getSnapshot() ?? NOTHING,
  );
}
