import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid, type IdGenerator } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { FieldChange, RecordedBlocker } from "../tasks/task-change.ts";
import { selectTask, selectTaskForUpdate, type StoredTask } from "../tasks/task.queries.ts";
import { lockTaskDependencies, selectDependents } from "../tasks/task-dependencies.queries.ts";
import { replaceBlockers, selectBlockedTasks, selectBlockers, selectKnownTasks } from "./task-queue.queries.ts";
import { MAX_BLOCKERS, type SetBlockers, type TaskBlocks } from "./task-queue.schema.ts";

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
      const task = await transaction(db.pool, async (client) => {
        await lockTaskDependencies(client);
        return replaceBlockersWithin(client, { id, next: () => blockedBy }, { ids, author, now: clock.now(), undone });
      });
      events.publish({ resource: "task", action: "edit", resourceId: task.id, resourceName: task.title });
      return findBlocks(db, id);
    },
  };
}

interface NewBlockers {
  readonly id: string;
  /** Returns the ids of what has to be done first, from those so far. */
  readonly next: (before: readonly string[]) => readonly string[];
}

interface BlockersContext {
  readonly ids: IdGenerator;
  readonly author: Author;
  readonly now: Date;
  readonly undone?: UndoneBlockers | undefined;
}

/** Replaces what has to be done before a task; the dependencies must be locked. Throws like `replace`. */
export async function replaceBlockersWithin(
  client: PoolClient,
  { id, next }: NewBlockers,
  { ids, author, now, undone }: BlockersContext,
): Promise<Pick<StoredTask, "id" | "title">> {
  const current = isUuid(id) ? await selectTaskForUpdate(client, id) : null;
  if (current === null) throw noSuchTask();
  if (current.deletedAt !== null) throw new InvalidInputError("The task is deleted. Restore it before changing it.");
  const before = await selectBlockers(client, id);
  undone?.assertUnchanged(before);
  const wanted = [...new Set(next(before.map((blocker) => blocker.id)))];
  if (wanted.length > MAX_BLOCKERS)
    throw InvalidInputError.at("blockedBy", `must contain at most ${MAX_BLOCKERS} tasks`);
  const known = await selectKnownTasks(client, wanted.filter(isUuid));
  const unknown = wanted.find((blocker) => !known.some((task) => task.id === blocker));
  if (unknown !== undefined) throw InvalidInputError.at("blockedBy", `${unknown} is not the id of an active task`);
  const waiting = await selectDependents(client, id, "begin");
  const circular = wanted.find((blocker) => waiting.end.has(blocker));
  if (circular !== undefined)
    throw InvalidInputError.at("blockedBy", `${circular} waits for this task itself, so it cannot block it`);
  const change = changeOfTasks("blockedBy", before, known);
  const mark = { id: ids(), author, createdAt: now, ...(undone !== undefined && { undoesId: undone.id }) };
  await replaceBlockers(client, { id, blockedBy: wanted, change: change && { ...mark, changes: [change] } });
  return current;
}

const MAX_TITLE = 100;

/** What is recorded of a list of other tasks; null if it is the same as before. */
export function changeOfTasks(
  field: "blockedBy" | "relatesTo" | "links",
  before: readonly RecordedBlocker[],
  after: readonly RecordedBlocker[],
): FieldChange | null {
  const isSame = before.length === after.length && before.every(({ id }, index) => id === after[index]?.id);
  const toRecord = (others: readonly RecordedBlocker[]): RecordedBlocker[] =>
    others.map(({ id, title }) => ({ id, title: title.slice(0, MAX_TITLE).toWellFormed() }));
  return isSame ? null : { field, before: toRecord(before), after: toRecord(after) };
}

async function findBlocks(db: Db, id: string): Promise<TaskBlocks> {
  const [blockedBy, blocks] = await Promise.all([selectBlockers(db.pool, id), selectBlockedTasks(db.pool, id)]);
  return { blockedBy, blocks };
}

function noSuchTask(): NotFoundError {
  return new NotFoundError("There is no such task.");
}
