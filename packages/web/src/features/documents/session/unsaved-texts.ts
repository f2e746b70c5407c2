import { useEffect, useState } from "react";
import type { Client } from "../../../client/client.ts";
import { useClient } from "../../../client/use-client.ts";
import { outbox } from "../../outbox/outbox.ts";
import { documentDrafts } from "./draft-store.ts";

/** Other tabs write texts, too, and long ones are stored without any event. */
const RECOUNT_MS = 1_000;

/** How many documents have text that is only in this browser, besides new notes, whose creation is kept with their text. */
export async function countUnsavedTexts(client: Client): Promise<number> {
  const ids = await documentDrafts(client).unsavedIds();
  const created = new Set(
    outbox(client)
      .changes.get()
      .flatMap(({ rowId, change }) => (change.kind === "create-note" ? [rowId] : [])),
  );
  return [...ids].filter((id) => !created.has(id)).length;
}

/** The same, followed while it is `isShown`; zero otherwise. */
export function useUnsavedTexts(isShown: boolean): number {
  const client = useClient();
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!isShown) return undefined;
    const recount = () =>
      void countUnsavedTexts(client).then(setCount, () => {
        // The browser's storage fails, which each text says itself.
      });
    recount();
    const timer = setInterval(recount, RECOUNT_MS);
    return () => clearInterval(timer);
  }, [client, isShown]);
  return isShown ? count : 0;
}
