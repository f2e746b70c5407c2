import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../client/use-client.ts";
import { ErrorState } from "../../components/states.tsx";
import { ItemLink } from "../home/item-link.tsx";
import { ChangeEntry } from "../tasks/change-entry.tsx";
import { ACTIVITY_KEY } from "../tasks/task-comments.ts";
import { isBy, type CalledBy } from "./called-by.ts";
import { UndoButton } from "./undo-button.tsx";

/** So many of the latest changes are looked through. */
const LATEST = 100;

/** What a call has changed of a task, from the task's history. */
export function TaskChanges({ id, by }: { readonly id: string; readonly by: CalledBy }) {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: [...ACTIVITY_KEY, id, "calls"],
    queryFn: async ({ signal }) => {
      const [task, activity] = await Promise.all([
        client.api.tasks.get.query({ id }, { signal }),
        client.api.tasks.activity.query({ id, only: "changes", limit: LATEST }, { signal }),
      ]);
      return { task: task.data, entries: activity.data };
    },
    staleTime: 0,
  });
  if (error !== null) return <ErrorState title="What changed could not be loaded" error={error} />;
  if (data === undefined) return null;
  const { task, entries } = data;
  const undone = new Set(entries.flatMap((entry) => (entry.kind === "change" ? (entry.undoesId ?? []) : [])));
  const own = entries.filter(({ author }) => isBy(author, by)).toReversed();
  if (own.length === 0) return <p className="text-muted">Nothing that the history of the task still knows.</p>;
  const remove = async () => {
    await client.api.tasks.delete.mutate({ id });
    await refetch();
  };
  return (
    <ul className="flex flex-col gap-1.5">
      {own.map((entry) => (
        <li key={entry.id}>
          {entry.kind === "change" ? (
            <ChangeEntry task={task} change={entry} isUndone={undone.has(entry.id)} />
          ) : (
            <div className="flex items-center gap-2">
              <p className="min-w-0 flex-1 [overflow-wrap:anywhere] text-normal">
                Created the task{" "}
                <ItemLink href={`/tasks?task=${id}`} taskId={id} className="text-accent-text underline">
                  {task.title}
                </ItemLink>
                {task.deletedAt !== null && <span className="text-muted"> · deleted since</span>}
              </p>
              {task.deletedAt === null && <UndoButton what={`creating ${task.title}`} onUndo={remove} />}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
