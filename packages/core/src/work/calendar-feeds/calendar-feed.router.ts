import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  calendarFeedSchema,
  createCalendarFeedInput,
  createdCalendarFeedSchema,
  revokedCalendarFeedSchema,
} from "./calendar-feed.schema.ts";
import type { CalendarFeedService } from "./calendar-feed.service.ts";

/** Only for users: a key that could create an address would outlive its own end. */
const procedure = userProcedure<{ readonly calendarFeeds: CalendarFeedService }>().tagged("Calendar feeds");

export const calendarFeedRouter = {
  list: procedure
    .rest("GET /calendar-feeds", "List the calendar feeds of tasks, newest first")
    .input(listInput)
    .output(pageOf(calendarFeedSchema))
    .query(({ ctx, input }) => asPage(ctx.services.calendarFeeds.list(input))),

  create: procedure
    .rest("POST /calendar-feeds", "Create a calendar feed with a secret URL, which is shown only once", {
      successStatus: 201,
    })
    .input(createCalendarFeedInput)
    .output(dataOf(createdCalendarFeedSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.calendarFeeds.create(input, ctx.principal.userId))),

  revoke: procedure
    .rest("DELETE /calendar-feeds/{id}", "Revoke a calendar feed with immediate effect", { errorStatuses: [404] })
    .input(z.object({ id: z.string() }))
    .output(dataOf(revokedCalendarFeedSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.calendarFeeds.revoke(input.id))),
};
