import { transaction } from "@workspace/db";
import { REMINDER_EVENT } from "../../access/webhooks/webhook-events.ts";
import { bodyOf } from "../../access/webhooks/webhook-payload.ts";
import { insertReminderDeliveries, type ReminderEvent } from "../../access/webhooks/webhook-queue.queries.ts";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { selectTask } from "../tasks/task.queries.ts";
import type { Task } from "../tasks/task.schema.ts";
import { dueText } from "./reminder-text.ts";
import {
  deleteReminder,
  fireReminders,
  insertReminder,
  seeReminders,
  selectReminders,
  selectUnseen,
  type FiredReminder,
} from "./task-reminder.queries.ts";
import {
  MAX_REMINDERS,
  type AddReminder,
  type DeliveredReminder,
  type ReminderById,
  type TaskReminder,
} from "./task-reminder.schema.ts";

/** By so much the clock of whoever asks for a reminder may be slow. */
const CLOCK_DIFFERENCE_MS = 60_000;
/** How many are delivered at once. */
const BATCH = 100;

export interface TaskReminderServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** Keeps the values of secrets out of messages. */
  readonly redactor: Redactor;
  /** The server's. */
  readonly timeZone: string;
}

export type TaskReminderService = ReturnType<typeof createTaskReminderService>;

/** Reminds people of tasks. Each has their own reminders, which they get in the dashboard, on their devices and by webhook. */
export function createTaskReminderService({ db, clock, ids, events, redactor, timeZone }: TaskReminderServiceDeps) {
  const publish = ({ id, title }: { readonly id: string; readonly title: string }) =>
    events.publish({ resource: "task", action: "edit", resourceId: id, resourceName: title });

  async function requireTask(id: string): Promise<Task> {
    const task = isUuid(id) ? await selectTask(db.pool, id) : null;
    if (task === null) throw new NotFoundError("There is no such task.");
    return task;
  }

  /** The reminder as webhooks get it. */
  function toEvent({ id, userId, taskId, title, status, dueDate, dueTime, at, isLate }: FiredReminder): ReminderEvent {
    const data: DeliveredReminder = { id, task: { id: taskId, title, status, dueDate, dueTime }, at, isLate };
    const name = redactor.redact(title);
    return { userId, id, name, at, body: bodyOf(REMINDER_EVENT, at, redactor.redactObject(data)) };
  }

  /** Takes those whose time has come, and stores what is to be sent about them in the same transaction. */
  const fire = (): Promise<FiredReminder[]> =>
    transaction(db.pool, async (client) => {
      const fired = await fireReminders(client, BATCH);
      const open = fired.filter(({ isOpen }) => isOpen);
      if (open.length > 0) await insertReminderDeliveries(client, open.map(toEvent));
      return fired;
    });

  return {
    /** The title of a task; null if there is none. */
    titleOf: async (id: string) => (isUuid(id) ? ((await selectTask(db.pool, id))?.title ?? null) : null),

    /** Throws {@link NotFoundError}. */
    async list(id: string, userId: string): Promise<TaskReminder[]> {
      await requireTask(id);
      return selectReminders(db.pool, id, userId);
    },

    /**
     * Adds a reminder for a person. Throws {@link NotFoundError}, {@link InvalidInputError} for a deleted task, a time that is relative to
     * no date or a time in the past, and {@link ConflictError} if there are too many.
     */
    async add({ id, minutesBefore, at, timezone }: AddReminder, userId: string): Promise<TaskReminder[]> {
      const task = await requireTask(id);
      if (task.deletedAt !== null)
        throw new InvalidInputError("The task is deleted. Restore it before adding a reminder.");
      if (minutesBefore !== undefined && task.dueDate === null)
        throw InvalidInputError.at("minutesBefore", "needs a due date");
      const reminder = {
        id: ids(),
        taskId: id,
        userId,
        minutesBefore: minutesBefore ?? null,
        at: at === undefined ? null : fixedTime(at, clock.now()),
        timezone: timezone ?? timeZone,
      };
      if (!(await insertReminder(db.pool, reminder, MAX_REMINDERS)))
        throw new ConflictError(`A task has at most ${MAX_REMINDERS} reminders.`);
      publish(task);
      return selectReminders(db.pool, id, userId);
    },

    /** Throws {@link NotFoundError}. */
    async remove({ id, reminderId }: ReminderById, userId: string): Promise<TaskReminder[]> {
      const task = await requireTask(id);
      if (!isUuid(reminderId) || !(await deleteReminder(db.pool, reminderId, id, userId)))
        throw new NotFoundError("There is no such reminder of this task.");
      publish(task);
      return selectReminders(db.pool, id, userId);
    },

    /** What was delivered to a person, who has not seen it in the dashboard yet. */
    unseen: (userId: string): Promise<DeliveredReminder[]> => selectUnseen(db.pool, userId),

    /** Marks reminders of a person as seen, on all pages. Others are left alone. */
    async see(reminderIds: readonly string[], userId: string): Promise<{ seen: number }> {
      const taskIds = await seeReminders(db.pool, reminderIds.filter(isUuid), userId);
      for (const id of new Set(taskIds)) publish(await requireTask(id));
      return { seen: taskIds.length };
    },

    /**
     * Delivers the reminders whose time has come, also while no server was running. Each is taken by one process; those of tasks that are
     * done or deleted are dropped.
     */
    async deliverDue(): Promise<void> {
      for (;;) {
        const fired = await fire();
        for (const { taskId, title, timezone, isOpen, ...due } of fired) {
          if (!isOpen) continue;
          const text = dueText(due, timezone, clock.now());
          const resourceName = text === null ? title : `${title}, ${text}`;
          events.publish({ resource: "task", action: "remind", resourceId: taskId, resourceName });
        }
        if (fired.length < BATCH) return;
      }
    },
  };
}

function fixedTime(at: string, now: Date): Date {
  const time = new Date(at);
  if (time.getTime() < now.getTime() - CLOCK_DIFFERENCE_MS) throw InvalidInputError.at("at", "is in the past");
  return time;
}
