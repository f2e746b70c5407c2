import { transaction, type Db } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { selectTask, selectTaskForUpdate } from "../tasks/task.queries.ts";
import {
  lockTaskBlocks,
  replaceBlockers,
  selectBlockedTasks,
  selectBlockers,
  selectKnownTasks,
  selectTasksWaitingFor,
} from "./task-queue.queries.ts";
import type { SetBlockers, TaskBlocks } from "./task-queue.schema.ts";

export type TaskBlockService = ReturnType<typeof createTaskBlockService>;

/** Which tasks have to be done before others. */
export function createTaskBlockService({ db, events }: Deps<"db" | "events">) {
  return {
    /** What has to be done before a task, and what waits for it. Throws {@link NotFoundError}. */
    async find(id: string): Promise<TaskBlocks> {
      if (!isUuid(id) || (await selectTask(db.pool, id)) === null) throw noSuchTask();
      return findBlocks(db, id);
    },

    /**
     * Replaces what has to be done before a task. Throws {@link NotFoundError}, and {@link InvalidInputError} for what is not an active
     * task, and for tasks that wait for this one.
     */
    async replace({ id, blockedBy }: SetBlockers): Promise<TaskBlocks> {
      const wanted = [...new Set(blockedBy)];
      const task = await transaction(db.pool, async (client) => {
        await lockTaskBlocks(client);
        const current = isUuid(id) ? await selectTaskForUpdate(client, id) : null;
        if (current === null) throw noSuchTask();
        if (current.deletedAt !== null)
          throw new InvalidInputError("The task is deleted. Restore it before changing it.");
        const known = new Set(await selectKnownTasks(client, wanted.filter(isUuid)));
        const unknown = wanted.find((blocker) => !known.has(blocker));
        if (unknown !== undefined)
          throw InvalidInputError.at("blockedBy", `${unknown} is not the id of an active task`);
        const waiting = new Set(await selectTasksWaitingFor(client, id));
        const circular = wanted.find((blocker) => waiting.has(blocker));
        if (circular !== undefined)
          throw InvalidInputError.at("blockedBy", `${circular} waits for this task itself, so it cannot block it`);
        await replaceBlockers(client, id, wanted);
        return current;
      });
      events.publish({ resource: "task", action: "edit", resourceId: task.id, resourceName: task.title });
      return findBlocks(db, id);
    },
  };
}

async function findBlocks(db: Db, id: string): Promise<TaskBlocks> {
  const [blockedBy, blocks] = await Promise.all([selectBlockers(db.pool, id), selectBlockedTasks(db.pool, id)]);
  return { blockedBy, blocks };
}

function noSuchTask(): NotFoundError {
  return new NotFoundError("There is no such task.");
}
