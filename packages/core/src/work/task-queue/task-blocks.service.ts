import { transaction, type Db } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { FieldChange, RecordedBlocker } from "../tasks/task-change.ts";
import { selectTask, selectTaskForUpdate } from "../tasks/task.queries.ts";
import { lockTaskDependencies, selectDependents } from "../tasks/task-dependencies.queries.ts";
import { replaceBlockers, selectBlockedTasks, selectBlockers, selectKnownTasks } from "./task-queue.queries.ts";
import type { SetBlockers, TaskBlocks } from "./task-queue.schema.ts";

/** Blockers that are replaced by undoing an earlier change of them. */
export interface UndoneBlockers {
  readonly id: string;
  /** Throws if the blockers are not as the change has left them. */
  readonly assertUnchanged: (current: readonly RecordedBlocker[]) => void;
}

export type TaskBlockServiceDeps = Deps<"db" | "clock" | "ids" | "events">;

export type TaskBlockService = ReturnType<typeof createTaskBlockService>;

/** Which tasks have to be done before others. */
export function createTaskBlockService({ db, clock, ids, events }: TaskBlockServiceDeps) {
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
    async replace({ id, blockedBy }: SetBlockers, author: Author, undone?: UndoneBlockers): Promise<TaskBlocks> {
      const wanted = [...new Set(blockedBy)];
      const task = await transaction(db.pool, async (client) => {
        await lockTaskDependencies(client);
        const current = isUuid(id) ? await selectTaskForUpdate(client, id) : null;
        if (current === null) throw noSuchTask();
        if (current.deletedAt !== null)
          throw new InvalidInputError("The task is deleted. Restore it before changing it.");
        const before = await selectBlockers(client, id);
        undone?.assertUnchanged(before);
        const known = await selectKnownTasks(client, wanted.filter(isUuid));
        const unknown = wanted.find((blocker) => !known.some((task) => task.id === blocker));
        if (unknown !== undefined)
          throw InvalidInputError.at("blockedBy", `${unknown} is not the id of an active task`);
        const waiting = await selectDependents(client, id, "begin");
        const circular = wanted.find((blocker) => waiting.end.has(blocker));
        if (circular !== undefined)
          throw InvalidInputError.at("blockedBy", `${circular} waits for this task itself, so it cannot block it`);
        const change = changeOfBlockers(before, known);
        const mark = {
          id: ids(),
          author,
          createdAt: clock.now(),
          ...(undone !== undefined && { undoesId: undone.id }),
        };
        await replaceBlockers(client, { id, blockedBy: wanted, change: change && { ...mark, changes: [change] } });
        return current;
      });
      events.publish({ resource: "task", action: "edit", resourceId: task.id, resourceName: task.title });
      return findBlocks(db, id);
    },
  };
}

const MAX_TITLE = 100;

/** Null if they are the same. */
function changeOfBlockers(before: readonly RecordedBlocker[], after: readonly RecordedBlocker[]): FieldChange | null {
  const isSame = before.length === after.length && before.every(({ id }, index) => id === after[index]?.id);
  const toRecord = (blockers: readonly RecordedBlocker[]): RecordedBlocker[] =>
    blockers.map(({ id, title }) => ({ id, title: title.slice(0, MAX_TITLE).toWellFormed() }));
  return isSame ? null : { field: "blockedBy", before: toRecord(before), after: toRecord(after) };
}

async function findBlocks(db: Db, id: string): Promise<TaskBlocks> {
  const [blockedBy, blocks] = await Promise.all([selectBlockers(db.pool, id), selectBlockedTasks(db.pool, id)]);
  return { blockedBy, blocks };
}

function noSuchTask(): NotFoundError {
  return new NotFoundError("There is no such task.");
}
