import { useQuery } from "@tanstack/react-query";
import { toRequestError } from "../../api/request-error.ts";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { KnownAt } from "../../components/known-at.tsx";
import { PartError, Skeleton } from "../../components/states.tsx";
import { TaskChecklist } from "./task-checklist.tsx";
import { editedItems } from "../outbox/checklist-edit.ts";
import { useKeptOf } from "../outbox/outbox.ts";
import { taskCollection } from "./task-collection.ts";
import { detailsQuery, type TaskDetails } from "./task-links.ts";
import { compareManually } from "./task-order.ts";
import { TaskBlocksSection, TaskReferences } from "./task-relations.tsx";
import { TaskSubtasks } from "./task-subtasks.tsx";
import type { Task } from "./task.ts";

/** What belongs to a task besides its own fields: subtasks, checklist, other tasks, notes and conversations. */
export default function TaskParts({ task }: { readonly task: Task }) {
  const client = useClient();
  const { data, dataUpdatedAt, error, refetch } = useQuery(detailsQuery(client, task.id));
  const tasks = useCollection(taskCollection(client));
  const edits = useKeptOf(task.id, "checklist");
  const checklist = edits.reduce((items, { change }) => editedItems(items, change.edit), data?.checklist ?? []);
  if (data === undefined) {
    if (error === null) return <Skeleton className="h-20 w-full" />;
    const details = detailsInCopy(task, tasks);
    return (
      <>
        {details.subtasks.length > 0 && <TaskSubtasks task={task} details={details} />}
        {toRequestError(error).kind === "no-response" && <TaskChecklist task={task} items={checklist} />}
        <PartError part="What else belongs to it" error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  return (
    <>
      {error !== null && <KnownAt atMs={dataUpdatedAt} />}
      <TaskSubtasks task={task} details={data} />
      <TaskChecklist task={task} items={checklist} />
      <TaskBlocksSection task={task} details={data} />
      <TaskReferences task={task} details={data} />
    </>
  );
}

/** What the page knows of a task's parts without the server. */
function detailsInCopy(task: Task, tasks: ReadonlyMap<string, Task>): TaskDetails {
  const parent = task.parentId === null ? undefined : tasks.get(task.parentId);
  const subtasks = [...tasks.values()]
    .filter(({ parentId, deletedAt }) => parentId === task.id && deletedAt === null)
    .toSorted(compareManually);
  const parents = parent === undefined ? [] : [parent];
  return { parents, subtasks, checklist: [], blockedBy: [], blocks: [], relatesTo: [], notes: [], conversations: [] };
}
