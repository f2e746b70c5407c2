import { CloudOff } from "lucide-react";
import { useStore } from "../../client/store.ts";
import { useClient } from "../../client/use-client.ts";

/** Says that the server is unreachable, and what that means for unsaved changes. */
export function ConnectionBanner() {
  const state = useStore(useClient().connection);
  return (
    <div role="status">
      {state !== "online" && (
        <p className="animate-fade flex items-center gap-2 border-b border-border bg-warning/10 px-4 py-2 text-13 text-strong">
          <CloudOff aria-hidden size={16} className="shrink-0 text-warning" />
          {state === "offline"
            ? "Offline. You are seeing data loaded earlier. Changes you make now are not saved, but nothing you type is lost."
            : "The server is not responding. Changes you make now are not saved, but nothing you type is lost. Retrying…"}
        </p>
      )}
    </div>
  );
}
