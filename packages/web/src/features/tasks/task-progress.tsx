import { clsx } from "clsx";
import { ChevronDown, CornerLeftUp, ListChecks, ListTree } from "lucide-react";
import { useRow } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { tooltip } from "../../components/tooltip.ts";
import { taskCollection } from "./task-collection.ts";
import type { Task } from "./task.ts";

interface SubtaskToggleProps {
  readonly task: Task;
  readonly isFolded: boolean;
  readonly onFold: (id: string, isFolded: boolean) => void;
}

/** How many subtasks are done; shows and hides those below a row of the list. */
export function SubtaskToggle({ task, isFolded, onFold }: SubtaskToggleProps) {
  const { done, total } = task.subtasks;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-expanded={!isFolded}
      className="tabular flex h-6 shrink-0 items-center gap-0.5 rounded-control px-1 text-12 text-muted hover:bg-hover hover:text-strong touch:h-9 touch:px-2"
      onClick={(event) => {
        event.stopPropagation();
        onFold(task.id, !isFolded);
      }}
      {...tooltip(isFolded ? "Show the subtasks" : "Hide the subtasks", isFolded ? "unfold" : "fold")}
    >
      <ChevronDown
        aria-hidden
        size={14}
        className={clsx("transition-transform duration-120", isFolded && "-rotate-90")}
      />
      <span className="sr-only">Subtasks of {task.title}: </span>
      {done}/{total}
      <span className="sr-only"> done</span>
    </button>
  );
}

/** How much of the checklist is done, and of the subtasks if they are not shown below. Nothing if there is neither. */
export function TaskProgress({ task, hasSubtasks }: { readonly task: Task; readonly hasSubtasks: boolean }) {
  const { subtasks, checklist } = task;
  return (
    <>
      {hasSubtasks && subtasks.total > 0 && (
        <Count icon={<ListTree aria-hidden size={12} />} what="subtasks" {...subtasks} />
      )}
      {checklist.total > 0 && <Count icon={<ListChecks aria-hidden size={12} />} what="items" {...checklist} />}
    </>
  );
}

interface CountProps {
  readonly icon: React.ReactNode;
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

function Count({ icon, what, done, total }: CountProps) {
  return (
    <span className="tabular flex shrink-0 items-center gap-1 text-12 text-muted">
      {icon}
      <span aria-hidden>
        {done}/{total}
      </span>
      <span className="sr-only">
        {done} of {total} {what} done
      </span>
    </span>
  );
}

/** What a task is a subtask of, where it is not shown below it. */
export function ParentLabel({ task }: { readonly task: Task }) {
  const parent = useRow(taskCollection(useClient()), task.parentId ?? "");
  if (parent === undefined) return null;
  return (
    <span className="flex max-w-40 min-w-0 shrink items-center gap-1 text-12 text-muted">
      <CornerLeftUp aria-hidden size={12} className="shrink-0" />
      <span className="sr-only">Subtask of </span>
      <span dir="auto" className="truncate">
        {parent.title}
      </span>
    </span>
  );
}
