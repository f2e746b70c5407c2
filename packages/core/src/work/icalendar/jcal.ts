import ICAL from "ical.js";

/** A property in jCal (RFC 7265): its name, parameters, type and values. */
export type JCalProperty = [
  name: string,
  parameters: Record<string, string | string[]>,
  type: string,
  ...values: unknown[],
];
/** A component in jCal: its name, properties and components. */
export type JCalComponent = [name: string, properties: JCalProperty[], components: JCalComponent[]];

const PRODUCT = "-//Workspace//Tasks//EN";
/** Characters that iCalendar has no form for, and XML neither. */
// oxlint-disable-next-line no-control-regex -- They are what it is about.
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g;

// Lines have at most 75 octets; the library does not count the space with which one continues.
ICAL.foldLength = 74;

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

/** A recurrence rule, from its text. */
export function rule(value: string): JCalProperty {
  return ["rrule", {}, "recur", ICAL.Recur.fromString(value).toJSON()];
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

/** The properties of a component with this name. */
export function propertiesNamed([, properties]: JCalComponent, name: string): JCalProperty[] {
  return properties.filter(([propertyName]) => propertyName === name);
}

/** The first value of a property as text; null if there is none. */
export function textOf(component: JCalComponent, name: string): string | null {
  const [property] = propertiesNamed(component, name);
  const value = property?.[3];
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : null;
}

/** A parameter of a property; undefined without it. Of several values, the first. */
export function parameterOf([, parameters]: JCalProperty, name: string): string | undefined {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return Array.isArray(value) ? value[0] : value;
}

/** The text of a property behind its name and parameters. */
export function writeValue(property: JCalProperty): string {
  const line = ICAL.stringify.property([property[0], {}, ...property.slice(2)], ICAL.design.icalendar, true);
  return line.slice(line.indexOf(":") + 1);
}
