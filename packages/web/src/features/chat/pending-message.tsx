import { RotateCcw, X } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { outbox, type Outgoing } from "./outbox.ts";
import { SentText } from "./message-view.tsx";

/** A message that the server has not accepted yet, or has refused. */
export function PendingMessage({ message }: { readonly message: Outgoing }) {
  const client = useClient();
  const { requestId, text, error } = message;
  const retry = () => {
    outbox(client).remove(requestId);
    outbox(client).send(message);
  };
  return (
    <div className="flex flex-col items-end gap-2">
      <div className={error === null ? "opacity-70" : undefined}>
        <SentText text={text} />
      </div>
      {error !== null && (
        <div role="alert" className="flex flex-wrap items-center justify-end gap-2 text-13 text-danger">
          <span>Not sent. {error}</span>
          <Button size="small" icon={<RotateCcw aria-hidden size={14} />} onClick={retry}>
            Try again
          </Button>
          <Button
            size="small"
            tone="ghost"
            icon={<X aria-hidden size={14} />}
            onClick={() => outbox(client).remove(requestId)}
          >
            Discard
          </Button>
        </div>
      )}
    </div>
  );
}
