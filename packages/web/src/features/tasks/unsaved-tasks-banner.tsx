import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { ProblemBanner } from "../../components/problem-banner.tsx";
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
    <ProblemBanner
      title={`${what} not saved.`}
      actions={
        <>
          <Button size="small" onClick={() => retryUnsavedTasks(client)}>
            Try again
          </Button>
          <Button size="small" tone="ghost" onClick={() => discardUnsavedTasks(client)}>
            Discard
          </Button>
        </>
      }
    >
      {first.reason}
    </ProblemBanner>
  );
}
