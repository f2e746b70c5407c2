import { clsx } from "clsx";
import { CalendarDays } from "lucide-react";
import { Suspense } from "react";
import { lazyPart } from "../../components/lazy-part.tsx";
import { formatDueDate, formatFullDueDate } from "../../dates/date-format.ts";
import type { Day } from "../../dates/day.ts";
import { dueFilterOf } from "./task-filter.ts";
import type { Task } from "./task.ts";

const TaskMarks = lazyPart(() => import("./task-marks.tsx"));

interface DueLabelProps {
  readonly task: Pick<Task, "dueDate" | "dueTime" | "status">;
  readonly today: Day;
  readonly hasIcon?: boolean;
  /** Whether the date is the value of a form field rather than secondary information. */
  readonly isStrong?: boolean;
}

/** When a task is due, whether it repeats, and until when it is or was snoozed. */
export function TaskTimes({ task, ...props }: Omit<DueLabelProps, "task"> & { readonly task: Task }) {
  return (
    <>
      {(task.repeat ?? task.snoozedUntil) !== null && (
        <Suspense>
          <TaskMarks task={task} today={props.today} />
        </Suspense>
      )}
      <DueLabel task={task} {...props} />
    </>
  );
}

/** When a task is due, in short form; overdue tasks and those due today are marked in words and in colour. */
export function DueLabel({ task, today, hasIcon = false, isStrong = false }: DueLabelProps) {
  if (task.dueDate === null) return null;
  const due = task.status === "done" ? "later" : dueFilterOf(task, today);
  const exact = formatFullDueDate(task.dueDate, task.dueTime);
  return (
    <span
      data-tooltip={due === "overdue" ? `Overdue: ${exact}` : exact}
      className={clsx("tabular inline-flex items-center gap-1 whitespace-nowrap", {
        "font-medium text-danger": due === "overdue",
        "font-medium text-warning": due === "today",
        "text-muted": due !== "overdue" && due !== "today" && !isStrong,
      })}
    >
      {hasIcon && <CalendarDays aria-hidden size={14} />}
      {formatDueDate(task.dueDate, today, task.dueTime)}
      {due === "overdue" && <span className="sr-only">, overdue</span>}
    </span>
  );
}
