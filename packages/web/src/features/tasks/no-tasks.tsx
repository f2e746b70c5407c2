import { CircleCheckBig, SearchX } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/states.tsx";
import { dialogs } from "../shell/dialogs.ts";
import { focusQuickAdd } from "./quick-add.tsx";

/** Where there are no tasks yet: says what for, and how to begin. */
export function NoTasks({ children }: { children: string }) {
  const client = useClient();
  return (
    <EmptyState
      icon={<CircleCheckBig size={20} />}
      title="No tasks yet"
      action={
        <span className="flex gap-2">
          <Button onClick={() => dialogs(client).open({ kind: "import-tasks" })}>Import tasks</Button>
          <Button tone="primary" shortcut="create" onClick={focusQuickAdd}>
            Create a task
          </Button>
        </span>
      }
    >
      {children}
    </EmptyState>
  );
}

/** Where no task matches the filter. */
export function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title="No matching tasks"
      action={<Button onClick={onClear}>Clear the filter</Button>}
    >
      No tasks match the filter.
    </EmptyState>
  );
}
