import { clsx } from "clsx";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { formatFullDay, formatMonth } from "../../dates/date-format.ts";
import {
  addMonths,
  dayOf,
  firstOfMonth,
  toPlainDate,
  toUtcDate,
  weekOf,
  weeksOfMonth,
  type Day,
} from "../../dates/day.ts";
import { useFirstWeekday, weekdayNames } from "../../dates/use-first-weekday.ts";
import { useToday } from "../../dates/use-now.ts";
import { useOpenTask, useOpenTaskId } from "../shell/task-panel-url.ts";
import type { NewTaskDefaults } from "./new-task-defaults.ts";
import { updateTasks } from "./task-actions.ts";
import { groupByDay, timeOf } from "./calendar-days.ts";
import { priorityOf, type Task } from "./task.ts";
import type { TaskSearchState } from "./use-task-search.ts";

const SPANS = [
  { value: "month" as const, label: "Month", icon: null },
  { value: "week" as const, label: "Week", icon: null },
];
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const SHOWN_IN_MONTH = 3;
const SHOWN_IN_WEEK = 50;

interface TaskCalendarProps {
  readonly tasks: readonly Task[];
  readonly search: TaskSearchState;
  /** Begins a new task that is due on a day. */
  readonly onAdd: (defaults: NewTaskDefaults) => void;
}

/** A month or a week of tasks by their due dates; a task dragged to another day is due then. */
export function TaskCalendar({ tasks, search, onAdd }: TaskCalendarProps) {
  const today = useToday();
  const at = search.at === undefined ? today : dayOf(search.at);
  const isWeek = search.span === "week";
  const firstWeekday = useFirstWeekday();
  const weeks = isWeek ? [weekOf(at, firstWeekday)] : weeksOfMonth(at, firstWeekday);
  const byDay = useMemo(() => groupByDay(tasks), [tasks]);
  const go = (day: Day) => search.change({ at: day === today ? undefined : toPlainDate(day) });
  const step = (direction: 1 | -1) => go(isWeek ? at + 7 * direction : addMonths(at, direction));
  const gridRef = useFocusedDay(at);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset["day"] === undefined) return;
    const moved = event.key === "PageUp" ? -1 : event.key === "PageDown" ? 1 : 0;
    const days = STEPS[event.key];
    if (event.key === "Enter") onAdd({ dueDate: toPlainDate(at) });
    else if (moved !== 0) step(moved === 1 ? 1 : -1);
    else if (days !== undefined) go(at + days);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-11 shrink-0 items-center gap-1 px-3">
        <h2 aria-live="polite" className="mr-2 text-14 font-semibold text-strong">
          {formatMonth(at)}
        </h2>
        <IconButton
          size="small"
          label={isWeek ? "Previous week" : "Previous month"}
          icon={<ChevronLeft size={16} />}
          onClick={() => step(-1)}
        />
        <IconButton
          size="small"
          label={isWeek ? "Next week" : "Next month"}
          icon={<ChevronRight size={16} />}
          onClick={() => step(1)}
        />
        <Button size="small" tone="ghost" onClick={() => go(today)}>
          Today
        </Button>
        <div className="ml-auto">
          <Segmented
            label="Span"
            hasWords
            value={isWeek ? "week" : "month"}
            options={SPANS}
            onChange={(span) => search.change({ span: span === "week" ? span : undefined })}
          />
        </div>
      </div>
      <div
        ref={gridRef}
        role="grid"
        aria-label={`Tasks, ${formatMonth(at)}`}
        tabIndex={-1}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto border-t border-border"
        onKeyDown={onKeyDown}
      >
        <div role="row" className="grid shrink-0 grid-cols-7 border-b border-border">
          {weekdayNames(firstWeekday).map((weekday) => (
            <span key={weekday} role="columnheader" className="px-2 py-1 text-12 text-muted">
              {weekday.slice(0, 3)}
            </span>
          ))}
        </div>
        {weeks.map((week) => (
          <div key={week[0]} role="row" className="grid min-h-28 flex-1 grid-cols-7 border-b border-border">
            {week.map((day) => (
              <DayCell
                key={day}
                day={day}
                at={at}
                today={today}
                isWeek={isWeek}
                tasks={byDay.get(day) ?? []}
                onAdd={onAdd}
                onMore={() => search.change({ at: toPlainDate(day), span: "week" })}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

interface DayCellProps {
  readonly day: Day;
  readonly at: Day;
  readonly today: Day;
  readonly isWeek: boolean;
  readonly tasks: readonly Task[];
  readonly onAdd: (defaults: NewTaskDefaults) => void;
  readonly onMore: () => void;
}

function DayCell({ day, at, today, isWeek, tasks, onAdd, onMore }: DayCellProps) {
  const client = useClient();
  const [isTarget, setTarget] = useState(false);
  const limit = isWeek ? SHOWN_IN_WEEK : SHOWN_IN_MONTH;
  const shown = tasks.length > limit ? tasks.slice(0, limit - 1) : tasks;
  const isOutside = !isWeek && firstOfMonth(day) !== firstOfMonth(at);
  const dueDate = toPlainDate(day);
  return (
    <div
      role="gridcell"
      tabIndex={-1}
      aria-selected={day === at}
      className={clsx(
        "relative flex min-w-0 flex-col gap-px border-r border-border p-1 last:border-r-0",
        isTarget ? "bg-accent-soft" : isOutside && "bg-background",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        event.preventDefault();
        setTarget(false);
        void updateTasks(client, [event.dataTransfer.getData("text/plain")], { dueDate });
      }}
    >
      <button
        type="button"
        data-day={day}
        aria-label={`${formatFullDay(day)}, add a task`}
        aria-current={day === today ? "date" : undefined}
        tabIndex={day === at ? 0 : -1}
        className="absolute inset-0 focus-visible:-outline-offset-2"
        onClick={() => onAdd({ dueDate })}
      />
      <span
        aria-hidden
        className={clsx(
          "tabular pointer-events-none flex size-6 shrink-0 items-center justify-center rounded-full text-12",
          day === today ? "bg-accent font-semibold text-on-accent" : isOutside ? "text-muted" : "text-strong",
        )}
      >
        {toUtcDate(day).getUTCDate()}
      </span>
      {shown.map((task) => (
        <CalendarTask key={task.id} task={task} isLate={day < today && task.status !== "done"} />
      ))}
      {shown.length < tasks.length && (
        <button
          type="button"
          className="relative rounded-control px-1.5 text-left text-12 text-muted hover:bg-hover hover:text-strong"
          onClick={onMore}
        >
          {tasks.length - shown.length} more
        </button>
      )}
    </div>
  );
}

function CalendarTask({ task, isLate }: { readonly task: Task; readonly isLate: boolean }) {
  const open = useOpenTask();
  const isOpen = useOpenTaskId() === task.id;
  const time = timeOf(task);
  return (
    <button
      type="button"
      draggable
      data-task-id={task.id}
      data-tooltip={task.title}
      className={clsx(
        "relative flex min-w-0 items-baseline gap-1 rounded-control px-1.5 py-px text-left text-12",
        isOpen ? "bg-accent-soft" : "bg-pressed hover:bg-hover",
        task.status === "done" ? "text-muted line-through" : isLate ? "text-danger" : "text-strong",
      )}
      onClick={() => open(task.id)}
      onDragStart={(event) => event.dataTransfer.setData("text/plain", task.id)}
    >
      {priorityOf(task) === 3 && (
        <span className="font-semibold text-warning">
          !<span className="sr-only">High priority, </span>
        </span>
      )}
      {time !== null && <span className="tabular shrink-0 text-muted">{time}</span>}
      <span dir="auto" className="truncate">
        {task.title}
      </span>
    </button>
  );
}

/** Moves the focus to the chosen day when the keyboard has changed it. */
function useFocusedDay(at: Day) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const grid = ref.current;
    const { activeElement } = document;
    if (grid === null || !(activeElement instanceof HTMLElement) || !grid.contains(activeElement)) return;
    if (activeElement.dataset["day"] !== undefined) grid.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
  }, [at]);
  return ref;
}
