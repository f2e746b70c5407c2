import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FormAlert } from "../auth/form-alert.tsx";
import { deleteAgent, setEnabled } from "./agent-actions.ts";
import type { Agent } from "./agent.ts";

interface DeleteAgentDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** A deleted agent cannot come back, so it is asked for; pausing it is offered instead. */
export default function DeleteAgentDialog({ agent, onClose, onDeleted }: DeleteAgentDialogProps) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const remove = async () => {
    setIsBusy(true);
    setError(null);
    try {
      await deleteAgent(agent);
      onDeleted();
    } catch (failure) {
      setError(toRequestError(failure).message);
      setIsBusy(false);
    }
  };
  const pause = () => {
    onClose();
    void setEnabled([agent], false);
  };
  return (
    <Dialog
      title={`Delete “${agent.name}”?`}
      description="The agent and the record of its runs go for good, and what it is doing now is cancelled. What it made in the workspace and what it has cost stay."
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        {error !== null && <FormAlert tone="danger">Not deleted. {error}</FormAlert>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button tone="ghost" onClick={onClose}>
            Keep it
          </Button>
          {agent.enabled && <Button onClick={pause}>Pause it instead</Button>}
          <Button tone="danger" isBusy={isBusy} className="border border-danger" onClick={() => void remove()}>
            Delete for good
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
