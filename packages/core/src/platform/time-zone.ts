const MINUTE_MS = 60_000;

/** By lower-case name: names are case-insensitive, so that any spelling of a zone shares one entry. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Whether the text is the name of a time zone, such as `Europe/Berlin` or `UTC`. Bare offsets are not names. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The zone's offset from UTC at an instant; positive is ahead. */
export function zoneOffsetMs(timeZone: string, instantMs: number): number {
  const wholeMs = Math.floor(instantMs / 1000) * 1000;
  return wallTimeMs(timeZone, wholeMs) - wholeMs;
}

/** The calendar date in the zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string, instant: Date): string {
  return wallClockIn(timeZone, instant).date;
}

/** The date in the zone, as `YYYY-MM-DD`, and the time of day, as `HH:MM`. */
export function wallClockIn(timeZone: string, instant: Date): { date: string; time: string } {
  const local = new Date(instant.getTime() + zoneOffsetMs(timeZone, instant.getTime())).toISOString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}

/** When a day, `YYYY-MM-DD`, begins in the zone. */
export function startOfDay(timeZone: string, day: string): Date {
  return instantIn(timeZone, { date: day, time: "00:00" });
}

/**
 * The instant of a date, as `YYYY-MM-DD`, and a time of day, as `HH:MM`, in the zone. Of a time that occurs twice, as clocks are set
 * back, the first; a time that is skipped counts by the clock from before, as in iCalendar.
 */
export function instantIn(timeZone: string, { date, time }: { date: string; time: string }): Date {
  const wallMs = Date.parse(`${date}T${time}:00.000Z`);
  const [before = 0, after = 0] = [-1, 1].map((days) => zoneOffsetMs(timeZone, wallMs + days * 24 * 60 * MINUTE_MS));
  const possible = [wallMs - before, wallMs - after].filter(
    (instantMs) => instantMs + zoneOffsetMs(timeZone, instantMs) === wallMs,
  );
  return new Date(possible.length === 0 ? wallMs - before : Math.min(...possible));
}

/** When the zone's next calendar day begins. */
export function startOfNextDay(timeZone: string, instant: Date): Date {
  const today = dayIn(timeZone, instant);
  // Offsets are whole minutes and no day is longer than 26 hours, so the binary search ends on the exact minute.
  let before = Math.floor(instant.getTime() / MINUTE_MS);
  let after = before + 26 * 60;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayIn(timeZone, new Date(middle * MINUTE_MS)) === today) before = middle;
    else after = middle;
  }
  return new Date(after * MINUTE_MS);
}

/** The zone's local time, as if it were UTC. */
function wallTimeMs(timeZone: string, instantMs: number): number {
  const fields: Record<string, number> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(instantMs)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const name = timeZone.toLowerCase();
  const known = formatters.get(name);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(name, formatter);
  return formatter;
}
