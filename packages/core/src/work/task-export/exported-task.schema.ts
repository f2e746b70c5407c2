import * as z from "zod";
import { timeZoneInput } from "../../platform/time-zone-input.ts";
import { TASK_STATUSES } from "../tasks/task-status.ts";

const time = z.string();
const id = z.uuid();

/** A task in `tasks.json` of an export of the workspace. What it says about other tasks, it says by their ids. */
export const exportedTaskSchema = z.object({
  id,
  title: z.string(),
  description: z.string().nullable(),
  status: z.enum(TASK_STATUSES),
  priority: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** The name of its project. */
  project: z.string().nullable(),
  /** A date, or a date-time. */
  dueDate: z.string().nullable(),
  /** HH:MM on a due date without a time. */
  dueTime: z.string().nullable(),
  /** An iCalendar rule. */
  repeat: z.string().nullable(),
  repeatFrom: z.enum(["due", "completion"]),
  repeatTimezone: timeZoneInput.nullable(),
  snoozedUntil: time.nullable(),
  tags: z.array(z.string()),
  /** The task that it is a part of. */
  parentId: id.nullable(),
  blockedBy: z.array(id),
  relatesTo: z.array(id),
  /** The paths of the notes that it has been linked to; exports of earlier versions have none. */
  notes: z.array(z.string()).default([]),
  checklist: z.array(z.object({ text: z.string(), isDone: z.boolean() })),
  comments: z.array(z.object({ author: z.string(), text: z.string(), createdAt: time })),
  /** Those of the person who exports it: minutes before it is due, or a time. */
  reminders: z.array(z.object({ minutesBefore: z.number().nullable(), at: time.nullable() })),
  /** Its place in the manual order of all tasks, compared character by character. */
  position: z.string(),
  createdAt: time,
  modifiedAt: time,
  completedAt: time.nullable(),
});
export type ExportedTask = z.infer<typeof exportedTaskSchema>;
