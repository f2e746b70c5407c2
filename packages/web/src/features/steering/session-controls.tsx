import { Octagon, Pause, Play } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { give, reportFailure, withdraw } from "./steering.ts";

interface SessionControlsProps {
  readonly sessionId: string;
  /** Null if the session is not paused. */
  readonly pauseId: string | null;
  readonly hasShortcuts?: boolean;
}

/** Pauses, resumes and stops a session. */
export function SessionControls({ sessionId, pauseId, hasShortcuts = false }: SessionControlsProps) {
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);
  const [isStopping, setIsStopping] = useState(false);
  const isPaused = pauseId !== null;
  const toggle = async () => {
    setIsBusy(true);
    await (isPaused ? withdraw(client, pauseId) : give(client, sessionId, { kind: "pause" })).catch(
      reportFailure(client, isPaused ? "Not resumed." : "Not paused."),
    );
    setIsBusy(false);
  };
  useShortcut("pauseSession", () => void (isBusy || toggle()), { isEnabled: hasShortcuts });
  useShortcut("stopSession", () => setIsStopping(true), { isEnabled: hasShortcuts });
  return (
    <>
      <Button
        {...(hasShortcuts && { shortcut: "pauseSession" as const })}
        icon={isPaused ? <Play aria-hidden size={16} /> : <Pause aria-hidden size={16} />}
        isBusy={isBusy}
        className="max-md:flex-1"
        onClick={() => void toggle()}
      >
        {isPaused ? "Resume" : "Pause"}
      </Button>
      <Button
        {...(hasShortcuts && { shortcut: "stopSession" as const })}
        tone="danger"
        icon={<Octagon aria-hidden size={16} />}
        className="max-md:flex-1"
        onClick={() => setIsStopping(true)}
      >
        Stop
      </Button>
      {isStopping && (
        <ConfirmDialog
          title="Stop this session?"
          description="Its run ends at the next call of a tool. A tool that runs already is not interrupted."
          confirmLabel="Stop it"
          cancelLabel="Let it run"
          failure="Not stopped."
          onConfirm={async () => {
            await give(client, sessionId, { kind: "stop" });
            setIsStopping(false);
          }}
          onClose={() => setIsStopping(false)}
        />
      )}
    </>
  );
}
