import { clsx } from "clsx";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { formatFullDay, formatMonth } from "../dates/date-format.ts";
import { addMonths, firstOfMonth, toUtcDate, weeksOfMonth, type Day } from "../dates/day.ts";
import { useFirstWeekday, weekdayNames } from "../dates/use-first-weekday.ts";
import { IconButton } from "./button.tsx";

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

interface CalendarProps {
  readonly today: Day;
  readonly chosen: Day | null;
  /** Any day of the month that is shown; also where the arrow keys are. */
  readonly month: Day;
  /** Days that are marked with a dot. */
  readonly marked?: ReadonlySet<Day>;
  onMonthChange(day: Day): void;
  onPick(day: Day): void;
}

/** A month to pick a day from, by pointer or arrow keys; Page Up and Page Down change the month. */
export function Calendar({ today, chosen, month, marked, onMonthChange, onPick }: CalendarProps) {
  const firstWeekday = useFirstWeekday();
  const gridRef = useRef<HTMLTableElement>(null);
  const isMovedByKey = useRef(false);
  useEffect(() => {
    if (isMovedByKey.current) gridRef.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
    isMovedByKey.current = false;
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const target = movedBy(event.key, month);
    if (target === undefined) return;
    event.preventDefault();
    isMovedByKey.current = true;
    onMonthChange(target);
  };
  return (
    <div>
      <div className="flex items-center justify-between pl-2">
        <span aria-live="polite" className="text-13 font-medium text-strong">
          {formatMonth(month)}
        </span>
        <span className="flex">
          <IconButton
            size="small"
            label="Previous month"
            icon={<ChevronLeft size={16} />}
            onClick={() => onMonthChange(addMonths(month, -1))}
          />
          <IconButton
            size="small"
            label="Next month"
            icon={<ChevronRight size={16} />}
            onClick={() => onMonthChange(addMonths(month, 1))}
          />
        </span>
      </div>
      <table
        ref={gridRef}
        role="grid"
        aria-label={formatMonth(month)}
        className="w-full table-fixed"
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {weekdayNames(firstWeekday).map((weekday) => (
              <th key={weekday} scope="col" className="h-6 text-12 font-normal text-muted">
                {weekday.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOfMonth(month, firstWeekday).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="p-0" aria-selected={day === chosen}>
                  <DayButton
                    day={day}
                    today={today}
                    chosen={chosen}
                    month={month}
                    isMarked={marked?.has(day) === true}
                    onPick={onPick}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DayButtonProps extends Pick<CalendarProps, "today" | "chosen" | "month" | "onPick"> {
  readonly day: Day;
  readonly isMarked: boolean;
}

function DayButton({ day, today, chosen, month, isMarked, onPick }: DayButtonProps) {
  const isOutside = firstOfMonth(day) !== firstOfMonth(month);
  const isChosen = day === chosen;
  return (
    <button
      type="button"
      aria-label={isMarked ? `${formatFullDay(day)}, marked` : formatFullDay(day)}
      aria-current={day === today ? "date" : undefined}
      tabIndex={day === month ? 0 : -1}
      className={clsx(
        "tabular relative flex h-8 w-full items-center justify-center rounded-control text-13 touch:h-10",
        isChosen ? "bg-accent font-medium text-on-accent" : "hover:bg-hover",
        !isChosen && day === today && "font-semibold text-accent-text ring-1 ring-accent-text ring-inset",
        !isChosen && day !== today && (isOutside ? "text-muted" : "text-strong"),
      )}
      onClick={() => onPick(day)}
    >
      {toUtcDate(day).getUTCDate()}
      {isMarked && <span aria-hidden className="absolute bottom-1 size-1 rounded-full bg-current" />}
    </button>
  );
}

function movedBy(key: string, day: Day): Day | undefined {
  if (key === "PageUp") return addMonths(day, -1);
  if (key === "PageDown") return addMonths(day, 1);
  const step = STEPS[key];
  return step === undefined ? undefined : day + step;
}
