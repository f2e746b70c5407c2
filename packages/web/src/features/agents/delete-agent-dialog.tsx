import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { deleteAgent, setEnabled } from "./agent-actions.ts";
import type { Agent } from "./agent.ts";

interface DeleteAgentDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deleting an agent cannot be undone, so it asks for confirmation and offers to pause the agent instead. */
export default function DeleteAgentDialog({ agent, onClose, onDeleted }: DeleteAgentDialogProps) {
  const client = useClient();
  const pause = () => {
    onClose();
    void setEnabled(client, [agent], false);
  };
  return (
    <ConfirmDialog
      title={`Delete “${agent.name}”?`}
      description="The agent and the history of its runs are deleted permanently, and its current run is cancelled. What it created in the workspace and the record of its costs are kept."
      confirmLabel="Delete permanently"
      cancelLabel="Keep it"
      failure="Not deleted."
      onConfirm={() => deleteAgent(client, agent).then(onDeleted)}
      onClose={onClose}
    >
      {agent.enabled && <Button onClick={pause}>Pause it instead</Button>}
    </ConfirmDialog>
  );
}
