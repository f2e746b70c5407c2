import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { refreshBackups } from "./backup.ts";

/**
 * Begins one thing at a time with backups; what comes of it is in their status. `refusal` says why the last one was not begun,
 * such as because a scheduled one had begun just before.
 */
export function useBackupAction() {
  const client = useClient();
  const [busyWith, setBusyWith] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  return {
    busyWith,
    refusal,
    async begin(what: string, action: () => Promise<unknown>): Promise<void> {
      setBusyWith(what);
      setRefusal(null);
      try {
        await action();
      } catch (error) {
        setRefusal(toRequestError(error).message);
      } finally {
        await refreshBackups(client);
        setBusyWith(null);
      }
    },
  };
}
