import ICAL from "ical.js";
import { CalendarError } from "./calendar-error.ts";
import type { JCalComponent, JCalProperty } from "./jcal.ts";

/** Twice the longest description, which has an escape for each character at the worst, and room for the rest. */
const MAX_CHARACTERS = 400_000;
/** A task has one component, with alarms and time zones; a repeating one has more for its exceptions. */
const MAX_COMPONENTS = 300;
const MAX_LINES = 20_000;
/** The time that parsing takes grows with the square of the number of parameters in a line. */
const MAX_PARAMETERS = 5_000;
const MAX_VALUES = 20_000;
const MAX_DEPTH = 4;

/**
 * Reads the text of a calendar. Throws {@link CalendarError} if it is none, or has more components or lines than that of a task.
 */
export function parseCalendar(text: string): JCalComponent {
  assertBounded(text);
  let parsed: unknown;
  try {
    parsed = ICAL.parse(text);
  } catch (error) {
    throw invalid(
      `The text is not iCalendar: ${error instanceof Error ? error.message.slice(0, 200) : "unreadable"}`,
      error,
    );
  }
  if (!isComponent(parsed, MAX_DEPTH) || parsed[0] !== "vcalendar") throw invalid("Send one VCALENDAR.");
  return parsed;
}

function assertBounded(text: string): void {
  const limits = [
    { what: "characters", max: MAX_CHARACTERS, count: text.length },
    { what: "components", max: MAX_COMPONENTS, count: countOf(text, /^BEGIN:/gim) },
    { what: "lines", max: MAX_LINES, count: countOf(text, /\n/g) },
    { what: "parameters", max: MAX_PARAMETERS, count: countOf(text, /(?<!\\);[\w-]+=/g) },
    { what: "values", max: MAX_VALUES, count: countOf(text, /(?<!\\),/g) },
  ];
  const exceeded = limits.find(({ max, count }) => count > max);
  if (exceeded !== undefined)
    throw invalid(`A calendar object may have at most ${exceeded.max.toLocaleString("en")} ${exceeded.what}.`);
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function isComponent(value: unknown, depth: number): value is JCalComponent {
  if (depth === 0 || !Array.isArray(value)) return false;
  const [name, properties, components]: readonly unknown[] = value;
  return (
    typeof name === "string" &&
    Array.isArray(properties) &&
    properties.every(isProperty) &&
    Array.isArray(components) &&
    components.every((component) => isComponent(component, depth - 1))
  );
}

function isProperty(value: unknown): value is JCalProperty {
  if (!Array.isArray(value)) return false;
  const [name, parameters, type]: readonly unknown[] = value;
  return typeof name === "string" && typeof parameters === "object" && parameters !== null && typeof type === "string";
}

function invalid(message: string, cause?: unknown): CalendarError {
  return new CalendarError("valid-calendar-data", message, { cause });
}
