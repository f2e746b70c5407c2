import { loadable } from "../../components/loadable.tsx";
import type { RowGripProps } from "./row-grip.tsx";
import { ParentLabel, SubtaskToggle, TaskProgress } from "./task-progress.tsx";
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

// After the first screen, whose size is limited.
const LoadedGrip = loadable(async () => (await import("./row-grip.tsx")).RowGrip);

/** What a row is dragged by, or as much room until that is loaded. */
export function RowGrip(props: RowGripProps) {
  return <LoadedGrip {...props} fallback={<span className="-ml-1 w-4 shrink-0 touch:w-8" />} />;
}
