import type { Moment } from "./calendar-task.ts";
import { propertiesNamed, textOf, type JCalComponent } from "./jcal.ts";
import { momentOf } from "./moment.ts";
import { endOfDuration } from "./todo-duration.ts";

/** When a task is, in the cases of RFC 4791, 9.9. */
export type Span =
  | { readonly kind: "always" }
  | { readonly kind: "at"; readonly atMs: number }
  | { readonly kind: "between"; readonly startMs: number; readonly endMs: number };

/** When a moment begins; a day or a time in no zone as if in UTC. */
export function startMs(moment: Moment): number {
  switch (moment.kind) {
    case "day":
      return Date.parse(`${moment.date}T00:00:00Z`);
    case "time":
      return Date.parse(`${moment.date}T${moment.time}:00Z`);
    case "instant":
      return Date.parse(moment.at);
  }
}

/** When a task is: from its start until it is due, or from its creation until it was completed. */
export function spanOfTodo(todo: JCalComponent): Span {
  const moment = (name: string): Moment | null => {
    const [property] = propertiesNamed(todo, name);
    return property === undefined ? null : momentOf(property);
  };
  const start = moment("dtstart");
  const duration = textOf(todo, "duration");
  const due = moment("due") ?? (duration === null ? null : endOfDuration(start, duration));
  if (start !== null && due !== null) return { kind: "between", startMs: startMs(start), endMs: startMs(due) };
  const only = start ?? due;
  if (only !== null) return { kind: "at", atMs: startMs(only) };
  const completed = moment("completed");
  const created = moment("created");
  if (completed !== null && created !== null)
    return { kind: "between", startMs: startMs(created), endMs: startMs(completed) };
  if (completed !== null) return { kind: "at", atMs: startMs(completed) };
  // What was created and never done goes on.
  return created === null ? { kind: "always" } : { kind: "between", startMs: startMs(created), endMs: Infinity };
}
