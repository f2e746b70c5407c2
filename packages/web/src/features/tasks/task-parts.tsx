import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../client/use-client.ts";
import { ErrorState, Skeleton } from "../../components/states.tsx";
import { TaskChecklist } from "./task-checklist.tsx";
import { detailsQuery } from "./task-links.ts";
import { TaskBlocksSection, TaskReferences } from "./task-relations.tsx";
import { TaskSubtasks } from "./task-subtasks.tsx";
import type { Task } from "./task.ts";

/** What belongs to a task besides its own fields: subtasks, checklist, other tasks, notes and conversations. */
export default function TaskParts({ task }: { readonly task: Task }) {
  const { data, error, refetch } = useQuery(detailsQuery(useClient(), task.id));
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="h-20 w-full" />
    ) : (
      <ErrorState title="The subtasks could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      <TaskSubtasks task={task} details={data} />
      <TaskChecklist task={task} items={data.checklist} />
      <TaskBlocksSection task={task} details={data} />
      <TaskReferences task={task} details={data} />
    </>
  );
}
