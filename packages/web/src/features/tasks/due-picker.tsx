import { useState, type KeyboardEvent } from "react";
import { TOUCH, useMediaQuery } from "../../browser/use-media-query.ts";
import { Calendar } from "../../components/calendar.tsx";
import { useClient } from "../../client/use-client.ts";
import { formatDay, formatDueDate, formatFullDay } from "../../dates/date-format.ts";
import { dayOf, isPlainDate, nextWeek, toPlainDate, type Day } from "../../dates/day.ts";
import { chosenFirstWeekday } from "../../dates/use-first-weekday.ts";
import { useToday } from "../../dates/use-now.ts";
import type { DueChoice, DuePatch } from "./task-pickers.tsx";
import { useTaskReader } from "./task-reader.ts";

const TIME_ALONE = /^(?:at |um |@ ?)?\d{1,2}(?:[:.]\d{2})?\s*(?:[ap]\.?m\.?|uhr)?$/i;

/** Picks a due date, with or without a time, in words, by name or from a calendar. */
export function DuePicker({ chosen, time, onPick }: DueChoice) {
  const client = useClient();
  const today = useToday();
  const [text, setText] = useState("");
  const [current] = chosen;
  const chosenDay = chosen.size === 1 && typeof current === "string" ? dayOf(current) : null;
  const chosenDate = chosen.size === 1 && typeof current === "string" && isPlainDate(current) ? current : null;
  const [month, setMonth] = useState<Day>(chosenDay ?? today);
  const pick = (day: Day) => onPick({ dueDate: toPlainDate(day) });
  const typed = useTypedDue(text, chosenDate);
  const typedDay = typed?.dueDate == null ? null : dayOf(typed.dueDate);
  const words = text.trim().toLowerCase();
  const shortcuts = [
    { label: "Today", day: today },
    { label: "Tomorrow", day: today + 1 },
    { label: "Next week", day: nextWeek(today, chosenFirstWeekday(client)) },
  ].filter(({ label }) => typed === null && label.toLowerCase().startsWith(words));
  const [first] = shortcuts;
  const enter = () => {
    if (typed !== null) onPick(typed);
    else if (words !== "" && first !== undefined) pick(first.day);
  };
  return (
    <div className="w-66 p-2">
      <WordsField text={text} onText={setText} onEnter={enter} />
      <div className="mb-2 flex flex-col gap-px border-b border-border pb-2">
        {shortcuts.map(({ label, day }) => (
          <Entry
            key={label}
            label={label}
            hint={day - today > 1 ? formatShortDay(day, today) : weekdayOf(day)}
            onClick={() => pick(day)}
          />
        ))}
        {words === "" && chosenDate !== null && time !== null && (
          <Entry
            label="No time"
            hint={time.replace(/^0/, "")}
            onClick={() => onPick({ dueDate: chosenDate, dueTime: null })}
          />
        )}
        {words === "" && (chosenDay !== null || chosen.size > 1) && (
          <Entry label="No due date" hint="" onClick={() => onPick({ dueDate: null })} />
        )}
        {words !== "" && first === undefined && <TypedEntry typed={typed} today={today} onPick={onPick} />}
      </div>
      <Calendar
        today={today}
        chosen={typedDay ?? chosenDay}
        month={typedDay ?? month}
        onMonthChange={setMonth}
        onPick={pick}
      />
    </div>
  );
}

/** What the words mean; a time alone is one on the chosen date. Null if they are no date. */
function useTypedDue(text: string, chosenDate: string | null): DuePatch | null {
  const client = useClient();
  const due = useTaskReader()?.readDue(client, text) ?? null;
  if (due === null) return null;
  return chosenDate !== null && due.dueTime !== undefined && TIME_ALONE.test(text.trim())
    ? { dueDate: chosenDate, dueTime: due.dueTime }
    : due;
}

interface WordsFieldProps {
  readonly text: string;
  onText(text: string): void;
  onEnter(): void;
}

function WordsField({ text, onText, onEnter }: WordsFieldProps) {
  const isTouch = useMediaQuery(TOUCH);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <input
      aria-label="Due date in words"
      placeholder="tomorrow 9am, next fri, in 2 weeks"
      autoComplete="off"
      autoFocus={!isTouch}
      maxLength={100}
      value={text}
      className="mb-2 h-(--control-height) w-full border-b border-border bg-transparent px-2 text-strong focus-visible:outline-none"
      onChange={(event) => onText(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function TypedEntry({ typed, today, onPick }: { typed: DuePatch | null; today: Day; onPick: (due: DuePatch) => void }) {
  if (typed?.dueDate == null) {
    return (
      <p role="status" className="px-2 py-1.5 text-13 text-muted">
        Not a date that can be read.
      </p>
    );
  }
  const day = dayOf(typed.dueDate);
  return (
    <Entry
      label={formatDueDate(typed.dueDate, today, typed.dueTime)}
      hint={formatFullDay(day).replace(/ \d{4}$/, "")}
      onClick={() => onPick(typed)}
    />
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
