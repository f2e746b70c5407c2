import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { putReminderDefault, selectReminderDefault } from "./reminder-default.queries.ts";
import type { ReminderDefault, SetReminderDefault } from "./task-reminder.schema.ts";

export interface ReminderDefaultServiceDeps extends Deps<"db" | "events"> {
  /** The server's. */
  readonly timeZone: string;
}

export type ReminderDefaultService = ReturnType<typeof createReminderDefaultService>;

/** When people are reminded of their tasks without asking for each. A trigger of the database applies it. */
export function createReminderDefaultService({ db, events, timeZone }: ReminderDefaultServiceDeps) {
  return {
    /** Nothing, unless the person has set something. */
    async get(userId: string): Promise<ReminderDefault> {
      const stored = await selectReminderDefault(db.pool, userId);
      return stored ?? { minutesBefore: null, dayTime: null, timezone: timeZone };
    },

    /** Replaces the person's default, also for the tasks that are due already. */
    async set(given: SetReminderDefault, userId: string): Promise<ReminderDefault> {
      const { minutesBefore, dayTime, timezone = timeZone } = given;
      const changed = { minutesBefore, dayTime, timezone };
      await transaction(db.pool, (client) => putReminderDefault(client, userId, changed));
      events.publish({ resource: "task", action: "edit", resourceId: "*", resourceName: null });
      return changed;
    },
  };
}
