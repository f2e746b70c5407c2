import { useState } from "react";
import { Calendar } from "../../components/calendar.tsx";
import { formatDay, formatFullDay } from "../../dates/date-format.ts";
import { dayOf, nextMonday, toPlainDate, type Day } from "../../dates/day.ts";
import { useToday } from "../../dates/use-now.ts";
import type { Choice } from "./task-pickers.tsx";

/** Picks a due date by name or from a calendar. */
export function DuePicker({ chosen, onPick }: Choice<string | null>) {
  const today = useToday();
  const [current] = chosen;
  const chosenDay = chosen.size === 1 && typeof current === "string" ? dayOf(current) : null;
  const [month, setMonth] = useState<Day>(chosenDay ?? today);
  const pick = (day: Day) => onPick(toPlainDate(day));
  const shortcuts = [
    { label: "Today", day: today },
    { label: "Tomorrow", day: today + 1 },
    { label: "Next week", day: nextMonday(today) },
  ];
  return (
    <div className="w-66 p-2">
      <div className="mb-2 flex flex-col gap-px border-b border-border pb-2">
        {shortcuts.map(({ label, day }) => (
          <Entry
            key={label}
            label={label}
            hint={day - today > 1 ? formatShortDay(day, today) : weekdayOf(day)}
            onClick={() => pick(day)}
          />
        ))}
        {(chosenDay !== null || chosen.size > 1) && <Entry label="No due date" hint="" onClick={() => onPick(null)} />}
      </div>
      <Calendar today={today} chosen={chosenDay} month={month} onMonthChange={setMonth} onPick={pick} />
    </div>
  );
}

function Entry({ label, hint, onClick }: { label: string; hint: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className="flex h-(--control-height-small) items-center justify-between rounded-control px-2 text-left text-strong hover:bg-hover"
      onClick={onClick}
    >
      {label}
      <span className="text-12 text-muted">{hint}</span>
    </button>
  );
}

function weekdayOf(day: Day): string {
  return formatFullDay(day).slice(0, 3);
}

function formatShortDay(day: Day, today: Day): string {
  return day - today < 7 ? `${weekdayOf(day)} ${toPlainDate(day).slice(8).replace(/^0/, "")}` : formatDay(day, today);
}
