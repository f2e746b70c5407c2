import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { toasts } from "../../components/toast.ts";
import { refresh } from "./webhook.ts";

/** Does one thing at a time with webhooks, and shows what came of it. */
export function useWebhookAction() {
  const client = useClient();
  const [busyWith, setBusyWith] = useState<string | null>(null);
  return {
    busyWith,
    /** `action` returns what to show; `failure` is what has not happened. */
    async act(what: string, failure: string, action: () => Promise<string>): Promise<void> {
      setBusyWith(what);
      try {
        toasts(client).show({ message: await action() });
      } catch (error) {
        toasts(client).show({ message: failure, detail: toRequestError(error).message, tone: "danger" });
      } finally {
        await refresh(client);
        setBusyWith(null);
      }
    },
  };
}
