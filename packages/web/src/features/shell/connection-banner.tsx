import { CloudOff } from "lucide-react";
import { useConnection } from "../../api/use-connection.ts";

/** Says that the server is out of reach, and what that means for what the user does now. */
export function ConnectionBanner() {
  const state = useConnection();
  return (
    <div role="status">
      {state !== "online" && (
        <p className="animate-fade flex items-center gap-2 border-b border-border bg-warning/10 px-4 py-2 text-13 text-strong">
          <CloudOff aria-hidden size={16} className="shrink-0 text-warning" />
          {state === "offline"
            ? "Offline. You see what was loaded before. Changes you make now are not saved, but nothing you type is lost."
            : "The server does not answer. Changes you make now are not saved, but nothing you type is lost. Trying again…"}
        </p>
      )}
    </div>
  );
}
