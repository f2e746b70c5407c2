import ICAL from "ical.js";
import { parseDueDate } from "../tasks/due-date.ts";
import type { Moment } from "./calendar-task.ts";

const DAY_MS = 24 * 60 * 60_000;

/** The end of a duration in iCalendar's form, such as `P1DT2H`; null if it is none, or does not begin. */
export function endOfDuration(start: Moment | null, duration: string): Moment | null {
  if (start === null || !ICAL.Duration.isValueString(duration)) return null;
  const ms = ICAL.Duration.fromString(duration).toSeconds() * 1000;
  switch (start.kind) {
    case "day": {
      const date = later(`${start.date}T00:00:00Z`, Math.round(ms / DAY_MS) * DAY_MS)?.slice(0, 10);
      return date === undefined ? null : { kind: "day", date };
    }
    case "time": {
      const end = later(`${start.date}T${start.time}:00Z`, ms);
      return end === null ? null : { kind: "time", date: end.slice(0, 10), time: end.slice(11, 16) };
    }
    case "instant": {
      const at = later(start.at, ms);
      return at === null ? null : { kind: "instant", at };
    }
  }
}

function later(time: string, byMs: number): string | null {
  const ms = Date.parse(time) + byMs;
  // Beyond what a date can be.
  return Math.abs(ms) > 8.64e15 ? null : parseDueDate(new Date(ms).toISOString());
}
