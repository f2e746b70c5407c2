import { useStore } from "../client/store.ts";
import { useClient } from "../client/use-client.ts";

/** Whether the server cannot be reached at the moment. */
export function useIsAway(): boolean {
  return useStore(useClient().connection) !== "online";
}
