import {
  CalendarError,
  type ComponentFilter,
  type ParameterFilter,
  type PropertyFilter,
  type TextMatch,
  type TimeRange,
} from "@workspace/core";
import { CALDAV } from "./xml-writer.ts";
import { qualified, type XmlElement } from "./xml-reader.ts";

/** The collation that distinguishes upper and lower case; the others, which RFC 4791 and 5051 name, do not. */
const EXACT = "i;octet";
const COLLATIONS = new Set([EXACT, "i;ascii-casemap", "i;unicode-casemap", "default"]);
const UTC = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

/** Reads the filter of a `calendar-query`. Throws {@link CalendarError} for what is none. */
export function readFilter(filter: XmlElement | undefined): ComponentFilter {
  const component = filter === undefined ? undefined : childOf(filter, "comp-filter");
  if (component === undefined) throw unsupported("A calendar-query needs a filter with a comp-filter.");
  return readComponent(component);
}

function readComponent(element: XmlElement): ComponentFilter {
  return {
    name: nameOf(element),
    isNotDefined: childOf(element, "is-not-defined") !== undefined,
    range: readRange(childOf(element, "time-range")),
    properties: childrenOf(element, "prop-filter").map(readProperty),
    components: childrenOf(element, "comp-filter").map(readComponent),
  };
}

function readProperty(element: XmlElement): PropertyFilter {
  return {
    name: nameOf(element),
    isNotDefined: childOf(element, "is-not-defined") !== undefined,
    range: readRange(childOf(element, "time-range")),
    match: readMatch(childOf(element, "text-match")),
    parameters: childrenOf(element, "param-filter").map(readParameter),
  };
}

function readParameter(element: XmlElement): ParameterFilter {
  return {
    name: nameOf(element),
    isNotDefined: childOf(element, "is-not-defined") !== undefined,
    match: readMatch(childOf(element, "text-match")),
  };
}

function readMatch(element: XmlElement | undefined): TextMatch | null {
  if (element === undefined) return null;
  const collation = element.attributes.get("collation") ?? "i;ascii-casemap";
  if (!COLLATIONS.has(collation)) throw unsupported(`There is no collation ${collation.slice(0, 100)} here.`);
  const isNegated = element.attributes.get("negate-condition") === "yes";
  return { text: element.text, isNegated, isExact: collation === EXACT };
}

function readRange(element: XmlElement | undefined): TimeRange | null {
  if (element === undefined) return null;
  const start = element.attributes.get("start");
  const end = element.attributes.get("end");
  return {
    startMs: start === undefined ? -Infinity : readTime(start),
    endMs: end === undefined ? Infinity : readTime(end),
  };
}

function readTime(text: string): number {
  const [, year, month, day, hour, minute, second] = UTC.exec(text) ?? [];
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(ms)) throw unsupported("A time-range needs times such as 20260101T000000Z.");
  return ms;
}

function nameOf(element: XmlElement): string {
  const name = element.attributes.get("name");
  if (name === undefined) throw unsupported("Every part of a filter needs a name.");
  return name.toLowerCase();
}

function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return childrenOf(element, name)[0];
}

function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === qualified(CALDAV, name));
}

function unsupported(message: string): CalendarError {
  return new CalendarError("supported-filter", message);
}
