import * as z from "zod";
import { expectedVersion, versionFields } from "../../platform/procedures/versioned-setting.schema.ts";
import { timeZoneInput } from "../../platform/time-zone-input.ts";

const SATURDAY = 6;

/** With which day weeks begin: 0 is Sunday. */
export const firstWeekdayInput = z.number().int().min(0).max(SATURDAY);

const settings = z.object({
  timeZone: timeZoneInput.nullable().meta({
    description:
      "The IANA name of the zone of days, schedules, reminders and budgets where a request brings none; null for UTC. Used from the next start of the server on",
  }),
  firstWeekday: firstWeekdayInput.nullable().meta({
    description: "With which day weeks begin: 0 is Sunday, 1 is Monday; null for what is usual where a person is",
  }),
});
export type CalendarSettingsDocument = z.infer<typeof settings>;

export const setCalendarSettingsInput = z.object({
  expectedVersion: expectedVersion("the settings have"),
  ...settings.shape,
});
export type SetCalendarSettings = z.infer<typeof setCalendarSettingsInput>;

export const calendarSettingsSchema = settings
  .extend({
    usedTimeZone: z.string().meta({ description: "The zone that the server uses now" }),
    isFromEnvironment: z
      .boolean()
      .meta({ description: "Whether the server was started with TZ, which has precedence" }),
    ...versionFields,
  })
  .meta({ id: "CalendarSettings" });
export type CalendarSettings = z.infer<typeof calendarSettingsSchema>;
