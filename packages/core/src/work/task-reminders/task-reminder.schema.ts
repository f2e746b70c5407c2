import * as z from "zod";
import { instantInput } from "../../platform/instant.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { timeZoneInput } from "../../platform/time-zone-input.ts";
import { taskRefSchema } from "../tasks/task.schema.ts";

/** For one task and one person. */
export const MAX_REMINDERS = 10;
const MAX_MINUTES = 60 * 24 * 366;

export const taskReminderSchema = z
  .object({
    id: z.string(),
    minutesBefore: z.int().nullable().meta({
      description:
        "Before the due date, which counts as 9:00 without a time; negative for a default later on that day. null if it is at a fixed time",
    }),
    timezone: z.string().meta({ description: "The zone of a due date that is a plain date" }),
    at: timestamp.nullable().meta({
      description: "When it is delivered; null if the task has no due date, or if that time had passed already",
    }),
    deliveredAt: timestamp.nullable(),
    isDefault: z.boolean().meta({ description: "Whether it comes from your default reminder" }),
  })
  .meta({ id: "TaskReminder" });
export type TaskReminder = z.infer<typeof taskReminderSchema>;

export const addReminderInput = z
  .object({
    id: z.string(),
    minutesBefore: z.int().min(0).max(MAX_MINUTES, "must be at most a year").optional().meta({
      description: "How long before the due date and time; it moves with them. A date without a time counts as 9:00",
    }),
    at: instantInput.optional().meta({ description: "Or a fixed time" }),
    timezone: timeZoneInput.optional().meta({
      description: "The IANA name of the zone of a due date that is a plain date. Default: that of the server",
    }),
  })
  .refine(({ minutesBefore, at }) => (minutesBefore === undefined) !== (at === undefined), {
    path: ["minutesBefore"],
    message: "expected either the minutes before the due date, or a time",
  });
export type AddReminder = z.infer<typeof addReminderInput>;

export const reminderByIdInput = z.object({ id: z.string(), reminderId: z.string() });
export type ReminderById = z.infer<typeof reminderByIdInput>;

/** A reminder that was delivered and not seen yet. */
export const deliveredReminderSchema = z
  .object({
    id: z.string(),
    task: taskRefSchema.extend({ dueDate: z.string().nullable(), dueTime: z.string().nullable() }),
    at: timestamp,
    isLate: z.boolean().meta({ description: "Whether the server was not running at that time" }),
  })
  .meta({ id: "DeliveredReminder" });
export type DeliveredReminder = z.infer<typeof deliveredReminderSchema>;

export const seeRemindersInput = z.object({ ids: z.array(z.string()).max(100, "must contain at most 100 ids") });

const dayTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "expected HH:MM from 00:00 to 23:59");

export const reminderDefaultSchema = z
  .object({
    minutesBefore: z.int().nullable().meta({ description: "For tasks that are due at a time; null for no reminder" }),
    dayTime: z
      .string()
      .nullable()
      .meta({ description: "HH:MM on the day, for tasks that are due on a day; null for no reminder" }),
    timezone: z.string().meta({ description: "The IANA name of the zone of days" }),
  })
  .meta({ id: "ReminderDefault" });
export type ReminderDefault = z.infer<typeof reminderDefaultSchema>;

export const setReminderDefaultInput = z.object({
  minutesBefore: z.int().min(0).max(MAX_MINUTES, "must be at most a year").nullable(),
  dayTime: dayTime.nullable(),
  timezone: timeZoneInput.optional().meta({ description: "Default: that of the server" }),
});
export type SetReminderDefault = z.infer<typeof setReminderDefaultInput>;
