import { Undo2 } from "lucide-react";
import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { toasts } from "../../components/toast.ts";

interface UndoButtonProps {
  /** What is undone, for screen readers. */
  readonly what: string;
  /** Rejects with a RequestError if something has changed since. */
  readonly onUndo: () => Promise<unknown>;
}

/** Undoes a change, or says why not. */
export function UndoButton({ what, onUndo }: UndoButtonProps) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const undo = () => {
    setBusy(true);
    onUndo()
      .catch((error: unknown) =>
        toasts(client).show({ message: "Not undone", detail: toRequestError(error).message, tone: "danger" }),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Button size="small" tone="ghost" isBusy={isBusy} icon={<Undo2 aria-hidden size={14} />} onClick={undo}>
      Undo
      <span className="sr-only">: {what}</span>
    </Button>
  );
}
