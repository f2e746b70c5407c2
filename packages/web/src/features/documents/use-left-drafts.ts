import { useEffect } from "react";
import { subscribeToConnection } from "../../api/connection.ts";
import { draftedDocumentIds } from "./draft-store.ts";

/** Saves what earlier visits have written and not saved, at the start of this one and whenever the server is back. */
export function useLeftDrafts(): void {
  useEffect(() => {
    void saveLeftDrafts();
    return subscribeToConnection((state) => {
      if (state === "online") void saveLeftDrafts();
    });
  }, []);
}

async function saveLeftDrafts(): Promise<void> {
  const ids = await draftedDocumentIds();
  if (ids.size === 0) return;
  const { saveLeftDraft } = await import("./left-drafts.ts");
  // What fails is tried again at the next occasion; the draft stays until then.
  await Promise.allSettled([...ids].map(saveLeftDraft));
}
