import { ArrowUp, RotateCcw, X } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { outbox, type Outgoing } from "./outbox.ts";
import { SentText } from "./message-view.tsx";

interface PendingMessageProps {
  readonly message: Outgoing;
  /** Sends what waits for an answer without it; undefined while the answer is written. */
  readonly onSendNow?: (() => void) | undefined;
}

/** A message that the server has not accepted yet, or has refused, or that waits for an answer. */
export function PendingMessage({ message, onSendNow }: PendingMessageProps) {
  const client = useClient();
  const { requestId, text, mentions = [], attachments = [], isQueued, error } = message;
  const retry = () => {
    outbox(client).remove(requestId);
    outbox(client).send(message);
  };
  return (
    <div className="flex flex-col items-end gap-2">
      <div className={error === null && !isQueued ? "opacity-70" : undefined}>
        <SentText text={text} mentions={mentions} attachments={attachments} />
      </div>
      {isQueued && (
        <div className="flex flex-wrap items-center justify-end gap-2 text-13 text-muted">
          <span role="status">{onSendNow === undefined ? "Sent after the answer" : "Not sent"}</span>
          {onSendNow !== undefined && (
            <Button size="small" icon={<ArrowUp aria-hidden size={14} />} onClick={onSendNow}>
              Send now
            </Button>
          )}
          <Button
            size="small"
            tone="ghost"
            icon={<X aria-hidden size={14} />}
            onClick={() => outbox(client).remove(requestId)}
          >
            Remove
          </Button>
        </div>
      )}
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
