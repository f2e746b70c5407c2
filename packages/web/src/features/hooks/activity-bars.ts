import type { ChartBar } from "../../charts/bar-chart.tsx";
import { sayDayExactly } from "../../dates/date-wording.ts";
import { dayOf, toUtcDate } from "../../dates/day.ts";
import type { HookStatistics } from "./hook-statistics-query.ts";

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A bar for each day, of what was allowed and what was blocked. */
export function activityBars(days: HookStatistics["dailyActivity"]): ChartBar[] {
  return days.map(({ date, allowed, blocked }) => ({
    label: dayMonth.format(toUtcDate(dayOf(date))),
    exactLabel: sayDayExactly(dayOf(date)),
    values: [allowed, blocked],
  }));
}
