import { ArrowLeft, CalendarDays, ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { PHONE, useMediaQuery } from "../../../browser/use-media-query.ts";
import { useClient } from "../../../client/use-client.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Calendar } from "../../../components/calendar.tsx";
import { floating } from "../../../components/floating.ts";
import { formatFullDay } from "../../../dates/date-format.ts";
import { dayOf, toPlainDate, type Day } from "../../../dates/day.ts";
import { useToday } from "../../../dates/use-now.ts";
import { useShortcut } from "../../../shortcuts/use-shortcut.ts";
import { dailyNoteQuery } from "./daily-note.ts";

interface DayNavProps {
  readonly day: Day;
  readonly onShow: (day: Day) => void;
}

interface DayBarProps extends DayNavProps {
  /** Null if the note below it has a button for that. */
  readonly onClose: (() => void) | null;
}

/** The day of a daily note, with those before and after it, and a calendar. */
export function DayNav({ day, onShow, onClose }: DayBarProps) {
  const client = useClient();
  const isPhone = useMediaQuery(PHONE);
  const today = useToday();
  useShortcut("previousDay", () => onShow(day - 1));
  useShortcut("nextDay", () => onShow(day + 1));
  const openCalendar = (anchor: HTMLElement) =>
    floating(client).openPopover(anchor, "Choose a day", (close) => (
      <DayCalendar
        day={day}
        onShow={(chosen) => {
          close();
          onShow(chosen);
        }}
      />
    ));
  return (
    <nav aria-label="Days" className="flex h-11 shrink-0 items-center gap-1 border-b border-border px-2 max-md:h-13">
      {isPhone && onClose !== null && (
        <IconButton label="Back to the files" icon={<ArrowLeft size={20} />} onClick={onClose} />
      )}
      <IconButton
        label="Previous day"
        shortcut="previousDay"
        icon={<ChevronLeft size={16} />}
        onClick={() => onShow(day - 1)}
      />
      <button
        type="button"
        aria-haspopup="dialog"
        className="flex h-8 min-w-0 items-center gap-2 rounded-control px-2 font-medium text-strong hover:bg-hover touch:h-11"
        onClick={(event) => openCalendar(event.currentTarget)}
      >
        <CalendarDays aria-hidden size={16} className="shrink-0 text-muted" />
        <span className="truncate">{formatFullDay(day)}</span>
      </button>
      <IconButton
        label="Next day"
        shortcut="nextDay"
        icon={<ChevronRight size={16} />}
        onClick={() => onShow(day + 1)}
      />
      {day !== today && (
        <Button size="small" tone="ghost" className="ml-auto" onClick={() => onShow(today)}>
          Today
        </Button>
      )}
    </nav>
  );
}

/** A month with the days that have notes in bold. */
function DayCalendar({ day, onShow }: DayNavProps) {
  const client = useClient();
  const today = useToday();
  const [month, setMonth] = useState(day);
  const { data } = useQuery(dailyNoteQuery(client, toPlainDate(month)));
  const marked = new Set(data?.ofMonth.map(({ date }) => dayOf(date)));
  return (
    <div className="w-72 p-3">
      <Calendar today={today} chosen={day} month={month} marked={marked} onMonthChange={setMonth} onPick={onShow} />
      <p className="pt-2 text-12 text-muted">A dot marks the days that have a note.</p>
    </div>
  );
}
