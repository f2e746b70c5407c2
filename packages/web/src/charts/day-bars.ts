import { formatFullDay } from "../dates/date-format.ts";
import { dayOf, toUtcDate } from "../dates/day.ts";
import { lazily } from "../lib/lazily.ts";
import type { ChartBar } from "./chart-data.ts";

const dayMonth = lazily(() => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }));

/** A bar for each day, or for each hour if the dates include one (`YYYY-MM-DDTHH`). */
export function dayBars<Entry extends { readonly date: string }>(
  entries: readonly Entry[],
  valuesOf: (entry: Entry) => readonly number[],
): ChartBar[] {
  return entries.map((entry) => {
    const [date = "", hour] = entry.date.split("T");
    const day = dayOf(date);
    return {
      label: hour === undefined ? dayMonth().format(toUtcDate(day)) : `${hour}:00`,
      exactLabel: hour === undefined ? formatFullDay(day) : `${formatFullDay(day)}, ${hour}:00`,
      values: valuesOf(entry),
    };
  });
}
