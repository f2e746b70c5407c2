import { sayDayExactly } from "../dates/date-wording.ts";
import { dayOf, toUtcDate } from "../dates/day.ts";
import type { ChartBar } from "./bar-chart.tsx";

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A bar for each day, or for each hour where the dates have one (`YYYY-MM-DDTHH`). */
export function dayBars<Entry extends { readonly date: string }>(
  entries: readonly Entry[],
  valuesOf: (entry: Entry) => readonly number[],
): ChartBar[] {
  return entries.map((entry) => {
    const [date = "", hour] = entry.date.split("T");
    const day = dayOf(date);
    return {
      label: hour === undefined ? dayMonth.format(toUtcDate(day)) : `${hour}:00`,
      exactLabel: hour === undefined ? sayDayExactly(day) : `${sayDayExactly(day)}, ${hour}:00`,
      values: valuesOf(entry),
    };
  });
}
