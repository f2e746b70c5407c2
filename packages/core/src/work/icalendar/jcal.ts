import ICAL from "ical.js";

/** What a property may have as its value: text, a number, a date in ISO 8601. */
type JCalValue = string | number;

/** A property in jCal (RFC 7265): its name, parameters, type and values. */
export type JCalProperty = [
  name: string,
  parameters: Record<string, string>,
  type: "text" | "uri" | "integer" | "date" | "date-time" | "duration",
  ...values: JCalValue[],
];
/** A component in jCal: its name, properties and components. */
export type JCalComponent = [name: string, properties: JCalProperty[], components: JCalComponent[]];

const PRODUCT = "-//Workspace//Tasks//EN";
/** Characters that iCalendar has no form for, and XML neither. */
// oxlint-disable-next-line no-control-regex -- They are what it is about.
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g;

/** A property with texts. */
export function text(name: string, ...values: readonly string[]): JCalProperty {
  return [name, {}, "text", ...values.map(plainText)];
}

export function number(name: string, value: number): JCalProperty {
  return [name, {}, "integer", value];
}

export function uri(name: string, value: string): JCalProperty {
  return [name, {}, "uri", value];
}

/** A property with an instant, in UTC and to the second. */
export function instant(name: string, at: string): JCalProperty {
  return [name, {}, "date-time", `${at.slice(0, 19)}Z`];
}

/** A text as iCalendar can have it: without control characters, and with line feeds as the only line breaks. */
export function plainText(value: string): string {
  return value.toWellFormed().replaceAll(/\r\n?/g, "\n").replaceAll(CONTROLS, "");
}

/** A calendar of components. */
export function calendarOf(properties: JCalProperty[], components: JCalComponent[]): JCalComponent {
  return ["vcalendar", [text("version", "2.0"), text("prodid", PRODUCT), ...properties], components];
}

/** The text of a component, escaped and folded (RFC 5545), with CRLF at the end of its lines. */
export function writeComponent(component: JCalComponent): string {
  return ICAL.stringify(component);
}
