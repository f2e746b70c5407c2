import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";
import { timeZoneInput } from "../../platform/time-zone-input.ts";
import { projectRefSchema } from "../projects/project.schema.ts";

export const FEED_CONTENTS = ["events", "tasks", "both"] as const;

const content = z.enum(FEED_CONTENTS).meta({
  description:
    "events: those with a due date, as events, which all calendar programs show; tasks: all, as iCalendar's tasks, which few programs show; both: one and the other",
});

export const calendarFeedSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    hint: z.string().meta({ description: "The last characters of the secret in its address" }),
    project: projectRefSchema.nullable().meta({ description: "Whose tasks it has; null for all tasks" }),
    content,
    includesDone: z.boolean(),
    timezone: z.string().meta({ description: "Of due times, which have none themselves" }),
    lastUsedAt: timestamp.nullable().meta({ description: "Accurate to the minute" }),
    creator: z.object({ id: z.string(), name: z.string() }),
    createdAt: timestamp,
  })
  .meta({ id: "CalendarFeed" });
export type CalendarFeed = z.infer<typeof calendarFeedSchema>;

export const createCalendarFeedInput = z.object({
  name: z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters"),
  projectId: z.string().nullish().meta({ description: "Whose tasks it has; by default all tasks" }),
  content: content.default("events"),
  includesDone: z.boolean().default(false).meta({ description: "Whether it has tasks that are done, too" }),
  timezone: timeZoneInput
    .optional()
    .meta({ description: "The IANA name of the time zone of due times. Default: that of the server" }),
});
export type CreateCalendarFeed = z.infer<typeof createCalendarFeedInput>;

/** The only response that contains the secret. */
export const createdCalendarFeedSchema = calendarFeedSchema
  .omit({ lastUsedAt: true, creator: true })
  .extend({ path: z.string().meta({ description: "The path of its URL on this server, shown only once" }) })
  .meta({ id: "CreatedCalendarFeed" });
export type CreatedCalendarFeed = z.infer<typeof createdCalendarFeedSchema>;

export const revokedCalendarFeedSchema = calendarFeedSchema.pick({ id: true, name: true });
export type RevokedCalendarFeed = z.infer<typeof revokedCalendarFeedSchema>;
