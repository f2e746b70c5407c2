import { clientPart } from "../client/client-part.ts";
import { Store } from "../client/store.ts";
import type { ResourceChange } from "../resources/resource-change.ts";
import { addToActivity } from "./activity-list.ts";

/** The changes since the page was opened, by anyone, newest first. */
export const activity = clientPart((client) => {
  const changes = new Store<readonly ResourceChange[]>([]);
  client.onForget(() => changes.set([]));
  return {
    changes,
    /** Starts recording changes. Returns a function that stops it. */
    follow: () =>
      client.socket.onFrame((frame) => {
        if (frame.type === "resource_change") changes.set(addToActivity(changes.get(), frame));
      }),
  };
});
