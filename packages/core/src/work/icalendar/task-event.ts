import { dueOf, momentProperty, type CalendarTask, type Moment } from "./calendar-task.ts";
import { instant, text, uri, type JCalComponent } from "./jcal.ts";

const MINUTE_MS = 60_000;
/** How long what is due at a time is shown: programs hide or squeeze what has no length. */
const SHOWN_MS = 30 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DONE_MARK = "✓ ";

export interface EventOptions {
  /** The zone of due times that have none. */
  readonly timeZone: string;
  /** The page of a task. */
  readonly urlOf: (taskId: string) => string;
}

/** A task as an event when it is due, for programs that show no tasks; null if it has no due date. */
export function toEvent(task: CalendarTask, { timeZone, urlOf }: EventOptions): JCalComponent | null {
  const due = dueOf(task);
  if (due === null) return null;
  const end = endOf(due);
  return [
    "vevent",
    [
      text("uid", `${task.id}-due`),
      instant("dtstamp", task.modifiedAt),
      instant("created", task.createdAt),
      instant("last-modified", task.modifiedAt),
      text("summary", task.status === "done" ? DONE_MARK + task.title : task.title),
      momentProperty("dtstart", due, timeZone),
      ...(end === null ? [] : [momentProperty("dtend", end, timeZone)]),
      ...(task.description === null || task.description === "" ? [] : [text("description", task.description)]),
      ...(task.tags.length === 0 ? [] : [text("categories", ...task.tags)]),
      // A task takes no time of which others should know.
      text("transp", "TRANSPARENT"),
      uri("url", urlOf(task.id)),
    ],
    [],
  ];
}

/** Null if it would be after the last year that can be written. */
function endOf(start: Moment): Moment | null {
  switch (start.kind) {
    case "day": {
      const date = later(`${start.date}T00:00Z`, DAY_MS).slice(0, 10);
      return date.startsWith("+") ? null : { kind: "day", date };
    }
    case "time": {
      const end = later(`${start.date}T${start.time}Z`, SHOWN_MS);
      return end.startsWith("+") ? null : { kind: "time", date: end.slice(0, 10), time: end.slice(11, 16) };
    }
    case "instant": {
      const at = later(start.at, SHOWN_MS);
      return at.startsWith("+") ? null : { kind: "instant", at };
    }
  }
}

function later(time: string, byMs: number): string {
  return new Date(Date.parse(time) + byMs).toISOString();
}
