import { inSlices } from "../../platform/in-slices.ts";
import { parameterOf, propertiesNamed, type JCalComponent, type JCalProperty } from "./jcal.ts";
import { momentOf } from "./moment.ts";
import { spanOfTodo, startMs } from "./todo-span.ts";

/** Which calendar objects a client wants, as in RFC 4791, 9.7: those with a component that has all of this. */
export interface ComponentFilter {
  readonly name: string;
  /** Then it is about objects without such a component. */
  readonly isNotDefined: boolean;
  readonly range: TimeRange | null;
  readonly properties: readonly PropertyFilter[];
  readonly components: readonly ComponentFilter[];
}

export interface PropertyFilter {
  readonly name: string;
  readonly isNotDefined: boolean;
  readonly range: TimeRange | null;
  readonly match: TextMatch | null;
  readonly parameters: readonly ParameterFilter[];
}

export interface ParameterFilter {
  readonly name: string;
  readonly isNotDefined: boolean;
  readonly match: TextMatch | null;
}

export interface TextMatch {
  readonly text: string;
  readonly isNegated: boolean;
  /** Whether upper and lower case are distinguished. */
  readonly isExact: boolean;
}

/** In milliseconds; infinite if open. */
export interface TimeRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Whether a filter of an object's `VCALENDAR` asks for all tasks, without looking at them. */
export function matchesAllTasks({ name, isNotDefined, range, properties, components }: ComponentFilter): boolean {
  if (name !== "vcalendar" || isNotDefined || range !== null || properties.length > 0) return false;
  return components.every(
    (inner) =>
      inner.name === "vtodo" &&
      !inner.isNotDefined &&
      inner.range === null &&
      inner.properties.length === 0 &&
      inner.components.length === 0,
  );
}

/** Whether a calendar, the only component beside nothing else, matches the filter; yields to the event loop in between. */
export async function matchesFilter(calendar: JCalComponent, filter: ComponentFilter): Promise<boolean> {
  let isMatch = false;
  function* match(): Generator<undefined> {
    isMatch = yield* matchesAny([calendar], filter);
  }
  await inSlices(match(), () => {});
  return isMatch;
}

/** Each part of a filter may have to be compared with each of an object, so it yields before each of them. */
type Steps = Generator<undefined, boolean>;

function* matchesAny(components: readonly JCalComponent[], filter: ComponentFilter): Steps {
  const named = components.filter(([name]) => name === filter.name);
  if (filter.isNotDefined) return named.length === 0;
  for (const component of named) if (yield* matches(component, filter)) return true;
  return false;
}

function* matches(component: JCalComponent, { range, properties, components }: ComponentFilter): Steps {
  yield;
  if (range !== null && !isWithin(component, range)) return false;
  for (const property of properties) if (!(yield* hasProperty(component, property))) return false;
  for (const inner of components) if (!(yield* matchesAny(component[2], inner))) return false;
  return true;
}

function* hasProperty(component: JCalComponent, filter: PropertyFilter): Steps {
  yield;
  const named = propertiesNamed(component, filter.name);
  if (filter.isNotDefined) return named.length === 0;
  for (const property of named) {
    yield;
    if (
      (filter.range === null || isMomentWithin(property, filter.range)) &&
      (filter.match === null || matchesText(valueOf(property), filter.match)) &&
      filter.parameters.every((parameter) => hasParameter(property, parameter))
    )
      return true;
  }
  return false;
}

function hasParameter(property: JCalProperty, { name, isNotDefined, match }: ParameterFilter): boolean {
  const value = parameterOf(property, name);
  if (isNotDefined || value === undefined) return isNotDefined && value === undefined;
  return match === null || matchesText(value, match);
}

function valueOf([, , , ...values]: JCalProperty): string {
  return values.map((value) => (typeof value === "string" || typeof value === "number" ? String(value) : "")).join(",");
}

function matchesText(value: string, { text, isNegated, isExact }: TextMatch): boolean {
  const contains = isExact ? value.includes(text) : value.toLowerCase().includes(text.toLowerCase());
  return contains !== isNegated;
}

function isMomentWithin(property: JCalProperty, { startMs: from, endMs: to }: TimeRange): boolean {
  const moment = momentOf(property);
  if (moment === null) return false;
  const at = startMs(moment);
  return from <= at && at < to;
}

/** Alarms and other components have times of their own, by which nobody looks for tasks. */
function isWithin(component: JCalComponent, { startMs: from, endMs: to }: TimeRange): boolean {
  if (component[0] !== "vtodo") return true;
  const span = spanOfTodo(component);
  switch (span.kind) {
    case "always":
      return true;
    case "between":
      return (from < span.endMs || from <= span.startMs) && (to > span.startMs || to >= span.endMs);
    case "at":
      return from <= span.atMs && to >= span.atMs;
  }
}
