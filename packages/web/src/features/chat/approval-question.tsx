import { ShieldQuestion } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { describeApproval } from "./describe-approval.ts";
import type { PendingApproval } from "./conversation-log.ts";

interface ApprovalQuestionProps {
  readonly conversationId: string;
  readonly approval: PendingApproval;
  /** Called when the question disappears while it has the focus. */
  readonly onFocusLost: () => void;
}

type Decision = "allow" | "deny";

/** A tool call that waits for the user's decision, in plain words. */
export function ApprovalQuestion({ conversationId, approval, onFocusLost }: ApprovalQuestionProps) {
  const client = useClient();
  const { approvalId, input, source } = approval;
  const [sent, setSent] = useState<Decision | null>(null);
  const [isOffline, setIsOffline] = useState(false);
  // A decision that was lost with the connection can be made again.
  useEffect(
    () =>
      client.socket.onOpen(() => {
        setSent(null);
        setIsOffline(false);
      }),
    [client],
  );
  const ref = useRef<HTMLElement>(null);
  useFocusLeave(ref, onFocusLost);
  const decide = (decision: Decision) => {
    const isSent = client.socket.send({ type: "chat:approve", conversationId, approvalId, decision });
    setSent(isSent ? decision : null);
    setIsOffline(!isSent);
  };
  return (
    <section
      ref={ref}
      aria-label="Waiting for your decision"
      className="flex flex-col gap-3 rounded-panel border border-warning bg-raised p-4"
    >
      <div role="alert" className="flex items-start gap-2.5">
        <ShieldQuestion aria-hidden size={18} className="mt-0.5 shrink-0 text-warning" />
        <div className="min-w-0">
          <p className="font-medium [overflow-wrap:anywhere] text-strong">{describeApproval(approval)}</p>
          <p className="mt-1 text-13 text-muted">
            The answer has read text that you may not have written (from <span className="font-mono">{source}</span>).
            Such text can contain instructions that the model follows. Allow this only if it is what you want.
          </p>
        </div>
      </div>
      <details className="text-13">
        <summary className="cursor-pointer text-muted">Full call</summary>
        <pre
          tabIndex={0}
          className="mt-2 max-h-64 overflow-auto rounded-control bg-background p-2 font-mono text-12 [overflow-wrap:anywhere] whitespace-pre-wrap text-strong"
        >
          {JSON.stringify(input, null, 2)}
        </pre>
      </details>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" isBusy={sent === "deny"} disabled={sent === "allow"} onClick={() => decide("deny")}>
          Don’t allow
        </Button>
        <Button isBusy={sent === "allow"} disabled={sent === "deny"} onClick={() => decide("allow")}>
          Allow
        </Button>
      </div>
      {isOffline && (
        <p role="status" className="text-13 text-danger">
          Not sent: no connection to the server.
        </p>
      )}
    </section>
  );
}

/** Without it, a keyboard user would be back at the top of the page after deciding. */
function useFocusLeave(ref: RefObject<HTMLElement | null>, onFocusLost: () => void): void {
  const latest = useRef(onFocusLost);
  useEffect(() => {
    latest.current = onFocusLost;
  });
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement) === true) latest.current();
    };
  }, [ref]);
}
