import { inSlices } from "../../platform/in-slices.ts";
import type { CalendarTask } from "../icalendar/calendar-task.ts";
import { calendarOf, text, writeComponent, type JCalComponent, type JCalProperty } from "../icalendar/jcal.ts";
import { toEvent } from "../icalendar/task-event.ts";
import { toTodo } from "../icalendar/task-todo.ts";
import { describeTimeZone } from "../icalendar/zone-description.ts";
import type { OpenedFeed } from "./calendar-feed.queries.ts";

/** As much as calendar programs take; what is due last comes first, so the oldest is missing. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** How often programs should read it again; some have their own mind. */
const REFRESH = "PT1H";

const END = "END:VCALENDAR\r\n";

/** The text of a feed. */
export async function writeFeed(
  feed: Pick<OpenedFeed, "name" | "content" | "timezone">,
  tasks: readonly CalendarTask[],
  urlOf: (taskId: string) => string,
): Promise<string> {
  const zone = await describeTimeZone(feed.timezone);
  const pieces = [
    writeComponent(calendarOf(properties(feed.name, zone.name), [])).slice(0, -END.length),
    zone.component,
  ];
  let characters = 0;
  await inSlices(tasks, (task) => {
    const written = componentsOf(task, feed.content, { timeZone: zone.name, urlOf }).map(writeComponent).join("");
    characters += written.length;
    if (characters <= MAX_CHARACTERS) pieces.push(written);
  });
  return [...pieces, END].join("");
}

/** Each property once as in RFC 7986, and once as the programs know it that are older. */
function properties(name: string, timeZone: string): JCalProperty[] {
  return [
    text("name", name),
    text("x-wr-calname", name),
    text("x-wr-timezone", timeZone),
    ["refresh-interval", {}, "duration", REFRESH],
    ["x-published-ttl", {}, "duration", REFRESH],
  ];
}

function componentsOf(
  task: CalendarTask,
  content: OpenedFeed["content"],
  options: { readonly timeZone: string; readonly urlOf: (taskId: string) => string },
): JCalComponent[] {
  const event = content === "tasks" ? null : toEvent(task, options);
  return [...(event === null ? [] : [event]), ...(content === "events" ? [] : [toTodo(task, options)])];
}
