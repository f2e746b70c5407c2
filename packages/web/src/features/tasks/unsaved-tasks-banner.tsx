import { CircleAlert } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { discardUnsavedTasks, retryUnsavedTasks, useUnsavedTasks } from "./task-creation.ts";
import { countTasks } from "./task.ts";

/** Tasks that the server has not accepted: they are kept, across reloads, until they are sent or discarded. */
export default function UnsavedTasksBanner() {
  const client = useClient();
  const unsaved = useUnsavedTasks();
  const [first] = unsaved;
  if (first === undefined) return null;
  const what = unsaved.length === 1 ? `“${first.input.title}” is` : `${countTasks(unsaved.length)} are`;
  return (
    <div
      role="alert"
      className="animate-fade flex items-center gap-3 border-b border-border bg-danger/8 px-4 py-1.5 text-13 text-strong"
    >
      <CircleAlert aria-hidden size={16} className="shrink-0 text-danger" />
      <p className="min-w-0 flex-1">
        <span className="font-medium">{what} not saved.</span> {first.reason}
      </p>
      <Button size="small" onClick={() => retryUnsavedTasks(client)}>
        Try again
      </Button>
      <Button size="small" tone="ghost" onClick={() => discardUnsavedTasks(client)}>
        Discard
      </Button>
    </div>
  );
}
