import { newestDeletionFirst, useRows } from "../../api/collection-query.ts";
import { useClient } from "../../client/use-client.ts";
import { RestorePage } from "../../lists/restore-page.tsx";
import { useOpenTask, useOpenTaskId } from "../shell/task-panel-url.ts";
import { StatusIcon } from "./status-icon.tsx";
import { restoreTasks } from "./task-actions.ts";
import { deletedTasksQuery, taskCollection } from "./task-collection.ts";

/** Deleted tasks, which can be restored. */
export default function DeletedTasksPage() {
  const client = useClient();
  return (
    <RestorePage
      title="Deleted tasks"
      state={useRows(deletedTasksQuery(client), taskCollection(client), newestDeletionFirst)}
      describe={({ title, status, deletedAt }) => ({
        name: title,
        icon: <StatusIcon status={status} hasName />,
        deletedAt,
      })}
      restore={({ id }) => void restoreTasks(client, [id])}
      panel={{ openId: useOpenTaskId(), open: useOpenTask() }}
      emptyTitle="No deleted tasks"
      emptyText="Tasks that you delete can be restored from here."
    />
  );
}
