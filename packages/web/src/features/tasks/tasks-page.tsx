import { Page } from "../shell/page.tsx";
import { focusQuickAdd } from "./quick-add.tsx";
import { TaskWorkspace } from "./task-workspace.tsx";

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
