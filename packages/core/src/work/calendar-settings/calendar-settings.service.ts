import type { Deps } from "../../platform/deps.ts";
import { PreconditionFailedError } from "../../platform/errors.ts";
import {
  selectVersionedSetting,
  setVersionedSetting,
  type VersionedSetting,
} from "../../platform/versioned-setting.queries.ts";
import { CALENDAR_SETTING } from "./first-weekday.ts";
import type { CalendarSettings, CalendarSettingsDocument, SetCalendarSettings } from "./calendar-settings.schema.ts";

const DEFAULT_TIME_ZONE = "UTC";

/** The time zone of a server, and where it comes from. */
export interface ServerTimeZone {
  readonly timeZone: string;
  readonly isFromEnvironment: boolean;
}

/** The time zone with which a server starts: that of its environment, or that of the settings. */
export async function serverTimeZone({ db }: Deps<"db">, environment: string | undefined): Promise<ServerTimeZone> {
  if (environment !== undefined) return { timeZone: environment, isFromEnvironment: true };
  const stored = await selectVersionedSetting<CalendarSettingsDocument>(db.pool, CALENDAR_SETTING);
  return { timeZone: stored?.value.timeZone ?? DEFAULT_TIME_ZONE, isFromEnvironment: false };
}

export interface CalendarSettingsDeps extends Deps<"db" | "clock"> {
  readonly timeZone: string;
  readonly isTimeZoneFromEnvironment: boolean;
}

export type CalendarSettingsService = ReturnType<typeof createCalendarSettingsService>;

/** Where and how days and weeks are counted, for everybody. */
export function createCalendarSettingsService({
  db,
  clock,
  timeZone,
  isTimeZoneFromEnvironment,
}: CalendarSettingsDeps) {
  const used = { usedTimeZone: timeZone, isFromEnvironment: isTimeZoneFromEnvironment };
  const toSettings = ({ value, updatedAt }: VersionedSetting<CalendarSettingsDocument>): CalendarSettings => ({
    ...value,
    ...used,
    updatedAt,
  });
  return {
    async get(): Promise<CalendarSettings> {
      const stored = await selectVersionedSetting<CalendarSettingsDocument>(db.pool, CALENDAR_SETTING);
      if (stored !== null) return toSettings(stored);
      return { timeZone: null, firstWeekday: null, ...used, version: 0, updatedAt: null };
    },

    /** Replaces the settings. Throws {@link PreconditionFailedError} if they no longer have the expected version. */
    async set({ expectedVersion, timeZone: zone, firstWeekday }: SetCalendarSettings): Promise<CalendarSettings> {
      const document: CalendarSettingsDocument = { timeZone: zone, firstWeekday };
      const change = { expectedVersion, now: clock.now() };
      const stored = await setVersionedSetting(db.pool, CALENDAR_SETTING, document, change);
      if (stored === null)
        throw new PreconditionFailedError("The settings have been changed in the meantime. Read them again.");
      return toSettings(stored);
    },
  };
}
