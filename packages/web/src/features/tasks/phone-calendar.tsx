import { useMemo } from "react";
import { Calendar } from "../../components/calendar.tsx";
import { formatFullDay } from "../../dates/date-format.ts";
import { dayOf, toPlainDate, type Day } from "../../dates/day.ts";
import { useToday } from "../../dates/use-now.ts";
import { groupByDay } from "./calendar-days.ts";
import { GroupedList } from "./grouped-list.tsx";
import type { NewTaskDefaults } from "./new-task-defaults.ts";
import { dayGroup } from "./task-groups.ts";
import { isOpen, type Task } from "./task.ts";
import type { TaskSearchState } from "./use-task-search.ts";

interface PhoneCalendarProps {
  readonly label: string;
  readonly tasks: readonly Task[];
  readonly search: TaskSearchState;
  readonly hasProject: boolean;
  readonly onAdd: (defaults: NewTaskDefaults) => void;
}

/** A month, in which days with open tasks have dots, and below it what is due on the chosen day. */
export function PhoneCalendar({ label, tasks, search, hasProject, onAdd }: PhoneCalendarProps) {
  const today = useToday();
  const at = search.at === undefined ? today : dayOf(search.at);
  const byDay = useMemo(() => groupByDay(tasks), [tasks]);
  const marked = useMemo(
    () => new Set([...byDay].flatMap(([day, members]) => (members.some(isOpen) ? [day] : []))),
    [byDay],
  );
  const groups = useMemo(() => [dayGroup(at, formatFullDay(at), byDay.get(at) ?? [])], [at, byDay]);
  const go = (day: Day) => search.change({ at: day === today ? undefined : toPlainDate(day) });
  return (
    <>
      <div className="shrink-0 border-b border-border px-2 py-1">
        <Calendar today={today} chosen={at} month={at} marked={marked} onMonthChange={go} onPick={go} />
      </div>
      <GroupedList
        label={label}
        groups={groups}
        countOf={({ tasks: shown }) => shown.length}
        hasProject={hasProject}
        onAdd={onAdd}
      />
    </>
  );
}
