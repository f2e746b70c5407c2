import { CalendarError } from "./calendar-error.ts";
import { propertiesNamed, textOf, type JCalComponent } from "./jcal.ts";
import { parseCalendar } from "./parse-calendar.ts";

const MAX_UID_LENGTH = 500;
const TIME_ZONE = "vtimezone";
const TODO = "vtodo";

/** A calendar object with one task, as a program has written it. */
export interface TodoObject {
  readonly uid: string;
  readonly calendar: JCalComponent;
  /** The component of the task itself; others describe exceptions to a repetition. */
  readonly todo: JCalComponent;
}

/** Reads a calendar object. Throws {@link CalendarError} if it is not one of a single task. */
export function readTodoObject(text: string): TodoObject {
  const calendar = parseCalendar(text);
  const parts = calendar[2].filter(([name]) => name !== TIME_ZONE);
  if (parts.some(([name]) => name !== TODO))
    throw new CalendarError("supported-calendar-component", "Only tasks (VTODO) can be stored here.");
  const todo = parts.find((part) => propertiesNamed(part, "recurrence-id").length === 0) ?? parts[0];
  if (todo === undefined) throw invalid("There is no task (VTODO) in it.");
  const uid = textOf(todo, "uid");
  if (uid === null || uid === "") throw invalid("The task has no UID.");
  if (uid.length > MAX_UID_LENGTH) throw invalid(`A UID may have at most ${MAX_UID_LENGTH} characters.`);
  if (parts.some((part) => textOf(part, "uid") !== uid)) throw invalid("All components must have the same UID.");
  return { uid, calendar, todo };
}

function invalid(message: string): CalendarError {
  return new CalendarError("valid-calendar-object-resource", message);
}
