import { useLayoutEffect } from "react";
import { useClient } from "../client/use-client.ts";
import { shortcuts } from "./shortcuts.ts";

/** Keeps all keys from the page while the component is mounted, wherever the focus is; for what opens above the page. */
export function useSuspendedShortcuts(): void {
  const client = useClient();
  useLayoutEffect(() => {
    const owner = {};
    shortcuts(client).suspend(owner, true);
    return () => shortcuts(client).suspend(owner, false);
  }, [client]);
}
