import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { calendarSettingsSchema, setCalendarSettingsInput } from "./calendar-settings.schema.ts";
import type { CalendarSettingsService } from "./calendar-settings.service.ts";

const procedure = userProcedure<{ readonly calendarSettings: CalendarSettingsService }>().tagged("Tasks");

/** Where and how days and weeks are counted. */
export const calendarSettingsRouter = {
  get: procedure
    .rest("GET /settings/calendar", "Get the time zone of the server, and with which day weeks begin")
    .output(dataOf(calendarSettingsSchema))
    .query(({ ctx }) => asData(ctx.services.calendarSettings.get())),

  set: procedure
    .rest("PUT /settings/calendar", "Set the time zone of the server, and with which day weeks begin", {
      errorStatuses: [412],
    })
    .input(setCalendarSettingsInput)
    .output(dataOf(calendarSettingsSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.calendarSettings.set(input))),
};
