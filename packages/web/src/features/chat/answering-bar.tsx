import { Square } from "lucide-react";
import { useEffect, useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";

interface AnsweringBarProps {
  readonly conversationId: string;
  /** Whether the answer waits for a decision. */
  readonly isWaiting: boolean;
}

type StopState = "no" | "sent" | "offline";

const STATES: Readonly<Record<StopState, string | null>> = {
  no: null,
  sent: "Stopping…",
  offline: "Not stopped: no connection to the server.",
};

/** Says that an answer is being written, and stops it; its text so far is kept. */
export function AnsweringBar({ conversationId, isWaiting }: AnsweringBarProps) {
  const client = useClient();
  const [stopped, setStopped] = useState<StopState>("no");
  // A request that was lost with the connection can be made again.
  useEffect(() => client.socket.onOpen(() => setStopped("no")), [client]);
  const stop = () => {
    if (stopped === "sent") return;
    const isSent = client.socket.send({ type: "chat:interrupt", conversationId });
    setStopped(isSent ? "sent" : "offline");
  };
  useShortcut("stopAnswer", stop);
  return (
    <div className="mx-auto flex w-full max-w-190 shrink-0 items-center gap-3 px-4 pb-2 text-13 max-md:px-3">
      <p role="status" className={`min-w-0 flex-1 ${stopped === "offline" ? "text-danger" : "text-muted"}`}>
        {STATES[stopped] ?? (isWaiting ? "Waiting for your decision" : "Answering…")}
      </p>
      <Button
        shortcut="stopAnswer"
        isBusy={stopped === "sent"}
        icon={<Square aria-hidden size={12} className="fill-current text-danger" />}
        onClick={stop}
      >
        Stop
      </Button>
    </div>
  );
}
