import { isTimeZone, zoneOffsetMs } from "../../platform/time-zone.ts";
import { parseDueDate } from "../tasks/due-date.ts";
import type { Moment } from "./calendar-task.ts";
import { parameterOf, type JCalProperty } from "./jcal.ts";

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):(\d{2})(Z?)$/;

/**
 * When a property says that something is; null if it has no date that exists. A time in a zone without an IANA name stays as it is,
 * without a zone: the rules that a program sends with it are not evaluated.
 */
export function momentOf(property: JCalProperty): Moment | null {
  const value = property[3];
  if (typeof value !== "string") return null;
  if (DATE.test(value)) return parseDueDate(value) === null ? null : { kind: "day", date: value };
  const [, date = "", time = "", second = "", zulu = ""] = DATE_TIME.exec(value) ?? [];
  if (parseDueDate(date) === null || parseDueDate(`${date}T${time}:${second}Z`) === null) return null;
  if (zulu !== "") return toInstant(Date.parse(value));
  const timeZone = ianaNameOf(parameterOf(property, "tzid"));
  if (timeZone === null) return { kind: "time", date, time };
  return toInstant(instantMs(timeZone, Date.parse(`${value}Z`)));
}

function toInstant(ms: number): Moment | null {
  const at = parseDueDate(new Date(ms).toISOString());
  return at === null ? null : { kind: "instant", at };
}

/** Programs put their own name before that of the zone, as in `/mozilla.org/20070129_1/Europe/Berlin`. */
function ianaNameOf(tzid: string | undefined): string | null {
  if (tzid === undefined || tzid.length > 200) return null;
  const parts = tzid.split("/").filter((part) => part !== "");
  const candidates = [tzid, ...[3, 2].map((count) => parts.slice(-count).join("/"))];
  return candidates.find(isTimeZone) ?? null;
}

/** The instant at which clocks in the zone show a time; of two, the first, and in a gap as if it had not begun. */
function instantMs(timeZone: string, wallMs: number): number {
  const before = wallMs - zoneOffsetMs(timeZone, wallMs - 24 * 60 * 60_000);
  if (wallMs - zoneOffsetMs(timeZone, before) === before) return before;
  const after = wallMs - zoneOffsetMs(timeZone, wallMs + 24 * 60 * 60_000);
  return wallMs - zoneOffsetMs(timeZone, after) === after ? after : before;
}
