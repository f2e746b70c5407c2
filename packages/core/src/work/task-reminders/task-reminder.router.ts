import * as z from "zod";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import type { ReminderDefaultService } from "./reminder-default.service.ts";
import {
  addReminderInput,
  deliveredReminderSchema,
  reminderByIdInput,
  reminderDefaultSchema,
  seeRemindersInput,
  setReminderDefaultInput,
  taskReminderSchema,
} from "./task-reminder.schema.ts";
import type { TaskReminderService } from "./task-reminder.service.ts";

const procedure = userProcedure<{
  readonly taskReminders: TaskReminderService;
  readonly reminderDefaults: ReminderDefaultService;
}>().tagged("Tasks");

/** When people are reminded of tasks. */
export const taskReminderRouter = {
  reminders: procedure
    .rest("GET /tasks/{id}/reminders", "List your reminders of a task", { errorStatuses: [404] })
    .input(z.object({ id: z.string() }))
    .output(dataOf(z.array(taskReminderSchema)))
    .v1("tasks:read")
    .tool("List the user's reminders of a task.", {
      name: "tasks_reminders",
      allows: "See when the user is reminded of a task.",
    })
    .query(({ ctx, input }) => asData(ctx.services.taskReminders.list(input.id, ctx.principal.userId))),

  remind: procedure
    .rest("POST /tasks/{id}/reminders", "Add a reminder of a task, and list all", { errorStatuses: [404, 409] })
    .input(addReminderInput)
    .output(dataOf(z.array(taskReminderSchema)))
    .v1("tasks:write")
    .tool(
      "Remind the user of a task: some minutes before its due date, with which the reminder moves, or at a fixed time.",
      { name: "tasks_remind", allows: "Set reminders of tasks, which notify the user." },
    )
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskReminders.add(input, ctx.principal.userId))),

  removeReminder: procedure
    .rest("DELETE /tasks/{id}/reminders/{reminderId}", "Remove a reminder of a task, and list the others", {
      errorStatuses: [404],
    })
    .input(reminderByIdInput)
    .output(dataOf(z.array(taskReminderSchema)))
    .v1("tasks:write")
    .tool("Remove one of the user's reminders of a task, by its id from tasks_reminders, and list the others.", {
      name: "tasks_remove_reminder",
      allows: "Remove reminders of tasks.",
      inspect: async ({ ctx, input }) => ({
        effect: "destroys",
        subject: await ctx.services.taskReminders.titleOf(input.id),
      }),
    })
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.taskReminders.remove(input, ctx.principal.userId))),

  unseenReminders: procedure
    .rest("GET /tasks/reminders/unseen", "List the latest reminders that were delivered and not seen, at most 20")
    .output(dataOf(z.array(deliveredReminderSchema)))
    .query(({ ctx }) => asData(ctx.services.taskReminders.unseen(ctx.principal.userId))),

  seeReminders: procedure
    .rest("POST /tasks/reminders/seen", "Mark delivered reminders as seen")
    .input(seeRemindersInput)
    .output(dataOf(z.object({ seen: z.int() })))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskReminders.see(input.ids, ctx.principal.userId))),

  reminderDefault: procedure
    .rest("GET /settings/reminders", "Get when you are reminded of tasks by default")
    .output(dataOf(reminderDefaultSchema))
    .query(({ ctx }) => asData(ctx.services.reminderDefaults.get(ctx.principal.userId))),

  setReminderDefault: procedure
    .rest("PUT /settings/reminders", "Set when you are reminded by default of tasks that are yours and due")
    .input(setReminderDefaultInput)
    .output(dataOf(reminderDefaultSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.reminderDefaults.set(input, ctx.principal.userId))),
};
