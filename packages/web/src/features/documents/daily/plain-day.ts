import { todayOf, toPlainDate } from "../../../dates/day.ts";

const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The plain date that a URL names: today if it names no day. */
export function plainDayOf(text: string): string {
  const isDay = PLAIN_DATE.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  return isDay ? text : toPlainDate(todayOf(new Date()));
}
