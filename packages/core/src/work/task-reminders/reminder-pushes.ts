import type { PushMessage } from "../../access/push/push-delivery.ts";
import { MAX_PUSHED_CALL, shortened } from "../../access/push/pushed-text.ts";
import type { Deps } from "../../platform/deps.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { pauseAfter } from "../../platform/retry-pause.ts";
import { wallClockIn } from "../../platform/time-zone.ts";
import { dueText } from "./reminder-text.ts";
import { claimPushes, planPush, type PushedReminder } from "./task-reminder.queries.ts";

const BATCH = 100;
const CONCURRENCY = 8;
/** Longer than sending can take. Afterwards, another process sends what a dead one has begun. */
const CLAIM_MS = 60_000;
/** Within half a day. A reminder is of little use later, and the dashboard still has it. */
const MAX_ATTEMPTS = 9;
const PUSH_TTL_S = 24 * 60 * 60;

export interface ReminderPushesDeps extends Deps<"db" | "clock" | "logger"> {
  /** Keeps the values of secrets out of messages. */
  readonly redactor: Redactor;
  /** Sends a message to the user's devices, or to the given ones of them, and returns those that were not reached. */
  readonly deliverPush: (message: PushMessage, userId: string, only: readonly string[]) => Promise<string[]>;
}

export type ReminderPushes = ReturnType<typeof createReminderPushes>;

/**
 * Sends reminders to the devices of their people: at least once, also if the process dies, and again to the devices that were not
 * reached. A device shows a message that it gets twice as one.
 */
export function createReminderPushes({ db, clock, logger, redactor, deliverPush }: ReminderPushesDeps) {
  async function send(reminder: PushedReminder): Promise<void> {
    const { userId, targets, attempts } = reminder;
    const missed = await deliverPush(toMessage(reminder), userId, targets);
    const isOver = missed.length === 0 || attempts >= MAX_ATTEMPTS;
    await planPush(db.pool, reminder, missed, isOver ? null : pauseAfter(attempts, Math.random()));
  }

  function toMessage({ id, taskId, title, timezone, at, isLate, ...due }: PushedReminder): PushMessage {
    const text = dueText(due, timezone, clock.now());
    const late = `The reminder for ${wallClockIn(timezone, new Date(at)).time} comes late: the server was not running.`;
    return {
      title: `Reminder: ${shortened(redactor.redact(title), MAX_PUSHED_CALL)}`,
      body: isLate ? late : text === null ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
      path: `/tasks?${new URLSearchParams({ task: taskId }).toString()}`,
      tag: `reminder-${id}`,
      ttlS: PUSH_TTL_S,
    };
  }

  return {
    /** Sends what is due. */
    async sendDue(): Promise<void> {
      const reminders = await claimPushes(db.pool, { limit: BATCH, claimMs: CLAIM_MS });
      await mapConcurrently(reminders, CONCURRENCY, (reminder) =>
        send(reminder).catch((error: unknown) => logger.warn({ err: error }, "a reminder could not be pushed")),
      );
    },
  };
}
