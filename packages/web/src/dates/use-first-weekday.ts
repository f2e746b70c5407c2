import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Client } from "../client/client.ts";
import { useClient } from "../client/use-client.ts";

const MONDAY = 1;
const NAMES = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** Where and how days are counted, as everybody here has chosen it. */
export function calendarSettingsQuery(client: Client) {
  return queryOptions({
    queryKey: ["calendar-settings"],
    queryFn: async ({ signal }) => (await client.api.calendarSettings.get.query(undefined, { signal })).data,
    staleTime: Infinity,
  });
}

/** With which day weeks begin: 0 is Sunday. That of the settings; until they are loaded, and without any, that of the browser. */
export function useFirstWeekday(): number {
  const client = useClient();
  const { data } = useQuery(calendarSettingsQuery(client));
  return data?.firstWeekday ?? localeFirstWeekday();
}

/** As {@link useFirstWeekday}, outside of a component. */
export async function readFirstWeekday(client: Client): Promise<number> {
  const settings = await client.queries.ensureQueryData(calendarSettingsQuery(client)).catch(() => null);
  return settings?.firstWeekday ?? localeFirstWeekday();
}

/**
 * With which day the week begins that "next week" means: that of the settings, and otherwise Monday, also where calendars begin with
 * Sunday.
 */
export function chosenFirstWeekday(client: Client): number {
  return client.queries.getQueryData(calendarSettingsQuery(client).queryKey)?.firstWeekday ?? MONDAY;
}

interface WeekInfo {
  /** 7 is Sunday. */
  readonly firstDay: number;
}

/** With which day weeks begin where the browser's language is spoken. */
export function localeFirstWeekday(): number {
  const locale: Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo } = new Intl.Locale(
    navigator.language,
  );
  const info = locale.getWeekInfo?.() ?? locale.weekInfo;
  return info === undefined ? MONDAY : info.firstDay % 7;
}

/** The names of the days of a week, in its order. */
export function weekdayNames(firstWeekday: number): string[] {
  return [...NAMES.slice(firstWeekday), ...NAMES.slice(0, firstWeekday)];
}
