import { GripVertical } from "lucide-react";
import type { PointerEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { dragRow } from "./drag-row.ts";
import { ParentLabel, SubtaskToggle, TaskProgress } from "./task-progress.tsx";
import type { ListItem } from "./task-list-items.ts";
import type { Task } from "./task.ts";

interface RowPartsProps {
  readonly task: Task;
  /** Whether it is shown below its parent. */
  readonly isNested: boolean;
  /** Whether its subtasks are hidden; undefined if none are in the list. */
  readonly isFolded: boolean | undefined;
  readonly onFold: (id: string, isFolded: boolean) => void;
}

/** What a row says about subtasks, the checklist and the parent. */
export function RowParts({ task, isNested, isFolded, onFold }: RowPartsProps) {
  return (
    <>
      {isFolded !== undefined && <SubtaskToggle task={task} isFolded={isFolded} onFold={onFold} />}
      <TaskProgress task={task} hasSubtasks={isFolded === undefined} />
      {!isNested && task.parentId !== null && <ParentLabel task={task} />}
    </>
  );
}

interface RowGripProps {
  readonly task: Task;
  /** Returns the rows of the list as they are when something is dragged. */
  readonly items: () => readonly ListItem[];
}

/** What a row is dragged by. */
export function RowGrip({ task, items }: RowGripProps) {
  const client = useClient();
  const start = (event: PointerEvent<HTMLElement>) => {
    const row = event.currentTarget.closest<HTMLElement>("[data-task-id]");
    if (event.button !== 0 || row === null) return;
    dragRow(client, { press: event.nativeEvent, row, id: task.id }, items);
  };
  return (
    <span
      aria-hidden
      data-grip
      data-tooltip="Drag to move; to the right to make it a subtask"
      className="-ml-1 flex h-full w-4 shrink-0 cursor-grab touch-none items-center justify-center text-muted opacity-0 group-hover:opacity-100 touch:w-8 touch:opacity-100"
      onClick={(event) => event.stopPropagation()}
      onPointerDown={start}
    >
      <GripVertical size={14} />
    </span>
  );
}
