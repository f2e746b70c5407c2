import type { Client } from "../../client/client.ts";
import { preloadAll } from "../../components/loadable.tsx";
import { Page } from "../shell/page.tsx";
import { focusQuickAdd } from "./quick-add.tsx";
import { tasksQuery } from "./task-collection.ts";
import { TaskBoard, TaskWorkspace } from "./task-workspace.tsx";
import { isBoardOpened } from "./use-task-search.ts";

export default function TasksPage() {
  return (
    <Page title="Tasks" onCreate={focusQuickAdd}>
      <TaskWorkspace
        label="Tasks"
        emptyText="Write down what needs to be done, and add a date or a project where it helps."
      />
    </Page>
  );
}

export function requestData(client: Client): void {
  void client.queries.prefetchQuery(tasksQuery(client));
  if (isBoardOpened()) void preloadAll([TaskBoard]);
}
