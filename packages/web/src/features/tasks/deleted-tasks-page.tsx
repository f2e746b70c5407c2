import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Trash2, Undo2 } from "lucide-react";
import { useMemo, useRef } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { TOUCH, useMediaQuery } from "../../browser/use-media-query.ts";
import { Button } from "../../components/button.tsx";
import { Instant } from "../../components/instant.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useOpenTask } from "../shell/panel-address.ts";
import { Page } from "../shell/page.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { restoreTasks } from "./task-actions.ts";
import { deletedTasksQuery, taskCollection } from "./task-collection.ts";
import type { Task } from "./task.ts";

const ROW_PX = 36;
const TOUCH_ROW_PX = 48;

/** Tasks that were deleted and can come back. */
export default function DeletedTasksPage() {
  const { isPending, error, refetch } = useQuery(deletedTasksQuery);
  const rows = useCollection(taskCollection);
  const tasks = useMemo(() => newestDeletionFirst(rows.values()), [rows]);
  const isEmpty = tasks.length === 0;
  return (
    <Page title="Deleted tasks" onCreate={null}>
      {isPending && isEmpty && <SkeletonRows />}
      {error !== null && isEmpty && (
        <ErrorState title="The deleted tasks could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!isPending && error === null && isEmpty && (
        <EmptyState icon={<Trash2 size={20} />} title="Nothing is deleted">
          Tasks that you delete wait here until you want them back.
        </EmptyState>
      )}
      {!isEmpty && <DeletedList tasks={tasks} />}
    </Page>
  );
}

function DeletedList({ tasks }: { tasks: readonly Task[] }) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const isTouch = useMediaQuery(TOUCH);
  const virtualizer = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => (isTouch ? TOUCH_ROW_PX : ROW_PX),
    getItemKey: (index) => tasks[index]?.id ?? index,
    overscan: 10,
  });
  return (
    <div ref={scrollRef} className="min-h-0 flex-1 overflow-y-auto pb-20">
      <ul aria-label="Deleted tasks" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start, size }) => {
          const task = tasks[index];
          if (task === undefined) return null;
          return (
            <li
              key={key}
              aria-setsize={tasks.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              <DeletedRow task={task} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function DeletedRow({ task }: { task: Task }) {
  const openTask = useOpenTask();
  return (
    <div className="flex h-full items-center gap-3 pr-2 pl-4 hover:bg-hover">
      <StatusIcon status={task.status} hasName />
      <button
        type="button"
        className="h-full min-w-0 flex-1 truncate text-left text-strong"
        onClick={() => openTask(task.id)}
      >
        {task.title}
      </button>
      <span className="shrink-0 text-12 text-muted max-md:hidden">
        Deleted <Instant timestamp={task.deletedAt ?? ""} />
      </span>
      <Button
        size="small"
        tone="ghost"
        icon={<Undo2 aria-hidden size={14} />}
        onClick={() => void restoreTasks([task.id])}
      >
        Restore<span className="sr-only"> {task.title}</span>
      </Button>
    </div>
  );
}

function newestDeletionFirst(tasks: Iterable<Task>): Task[] {
  const deleted: { task: Task; deletedAt: string }[] = [];
  for (const task of tasks) if (task.deletedAt !== null) deleted.push({ task, deletedAt: task.deletedAt });
  return deleted.toSorted((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1)).map(({ task }) => task);
}
