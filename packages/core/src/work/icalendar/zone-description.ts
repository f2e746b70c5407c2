/** A time zone as calendars describe it. */
export interface ZoneDescription {
  /** The name by which properties refer to it. */
  readonly name: string;
  /** The text of its component, with its rules. */
  readonly component: string;
}

/** Describes the time zone with an IANA name. The rules of all zones are loaded on first use. */
export async function describeTimeZone(timeZone: string): Promise<ZoneDescription> {
  const { tzlib_get_ical_block: describe } = await import("timezones-ical-library");
  // The library distinguishes upper and lower case, which names of zones do not.
  const { timeZone: name } = new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions();
  const [component = "", reference = ""] = describe(name);
  if (!reference.startsWith("TZID=")) throw new Error(`There is no description of the time zone ${name}.`);
  return { name: reference.slice("TZID=".length), component: `${component}\r\n` };
}
