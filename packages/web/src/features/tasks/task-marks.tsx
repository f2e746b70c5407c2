import { AlarmClock, Repeat } from "lucide-react";
import type { Day } from "../../dates/day.ts";
import { useNow } from "../../dates/use-now.ts";
import { describeRepeat } from "./describe-repeat.ts";
import { formatSnooze, isBack } from "./snooze-times.ts";
import { isSnoozed } from "./snooze.ts";
import type { Task } from "./task.ts";

interface MarksProps {
  readonly task: Task;
  readonly today: Day;
}

/** Until when a task is snoozed, or that it has just come back, and whether it repeats. */
export default function TaskMarks({ task, today }: MarksProps) {
  const { repeat, repeatFrom, snoozedUntil } = task;
  return (
    <>
      {snoozedUntil !== null && <SnoozeMark task={task} until={snoozedUntil} today={today} />}
      {repeat !== null && (
        <span data-tooltip={`Repeats ${describeRepeat(repeat, { today, repeatFrom })}`} className="shrink-0 text-muted">
          <Repeat role="img" aria-label="Repeats" size={12} />
        </span>
      )}
    </>
  );
}

function SnoozeMark({ task, today, until }: MarksProps & { readonly until: string }) {
  const now = useNow().getTime();
  const isAway = isSnoozed(task, now);
  if (!isAway && !isBack(task, now)) return null;
  return (
    <span
      data-tooltip={isAway ? "Snoozed until then" : `Back since ${formatSnooze(until, today)}`}
      className="tabular inline-flex items-center gap-1 whitespace-nowrap text-muted"
    >
      <AlarmClock aria-hidden size={14} />
      {isAway ? formatSnooze(until, today) : "Back"}
    </span>
  );
}
