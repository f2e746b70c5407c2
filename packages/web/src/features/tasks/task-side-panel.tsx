import { useClient } from "../../client/use-client.ts";
import { SidePanel } from "../shell/side-panel.tsx";
import { taskCollection } from "./task-collection.ts";
import TaskPanel from "./task-panel.tsx";

interface TaskSidePanelProps {
  readonly taskId: string;
  readonly onClose: () => void;
}

/** The panel of a task, in its place beside the page. */
export function TaskSidePanel({ taskId, onClose }: TaskSidePanelProps) {
  const client = useClient();
  return (
    <SidePanel label="Task">
      <TaskPanel key={taskCollection(client).keyOf(taskId)} taskId={taskId} onClose={onClose} />
    </SidePanel>
  );
}
