import { clsx } from "clsx";
import { CalendarDays } from "lucide-react";
import { formatDueDate, formatFullDueDate } from "../../dates/date-format.ts";
import type { Day } from "../../dates/day.ts";
import { dueFilterOf } from "./task-filter.ts";
import type { Task } from "./task.ts";

interface DueLabelProps {
  readonly task: Pick<Task, "dueDate" | "dueTime" | "status">;
  readonly today: Day;
  readonly hasIcon?: boolean;
  /** Whether the date is the value of a form field rather than secondary information. */
  readonly isStrong?: boolean;
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
