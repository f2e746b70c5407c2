import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { toasts } from "../../components/toast.ts";
import { refreshBackups } from "./backup.ts";

/** Begins one thing at a time with backups; what comes of it is in their status. */
export function useBackupAction() {
  const client = useClient();
  const [busyWith, setBusyWith] = useState<string | null>(null);
  return {
    busyWith,
    async begin(what: string, action: () => Promise<unknown>): Promise<void> {
      setBusyWith(what);
      try {
        await action();
      } catch (error) {
        toasts(client).show({ message: "Not begun", detail: toRequestError(error).message, tone: "danger" });
      } finally {
        await refreshBackups(client);
        setBusyWith(null);
      }
    },
  };
}
