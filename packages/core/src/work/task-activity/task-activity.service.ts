import { isDeepStrictEqual } from "node:util";
import type { Db } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { TaskChecklistService } from "../task-checklist/task-checklist.service.ts";
import type { LinkView } from "../task-links/link-view.ts";
import type { TaskLinkService } from "../task-links/task-links.service.ts";
import type { TaskBlockService } from "../task-queue/task-blocks.service.ts";
import type { RecordedItem } from "../tasks/checklist.ts";
import type { RecordedBlocker } from "../tasks/task-change.ts";
import type { StoredTask } from "../tasks/task.queries.ts";
import { updateTaskInput, type Task } from "../tasks/task.schema.ts";
import type { TaskService } from "../tasks/task.service.ts";
import { selectActivity, selectCausedChanges, selectChange } from "./task-activity.queries.ts";
import type { ActivityEntry, ChangeById, ChangeDetail, ListActivity } from "./task-activity.schema.ts";
import { withVisibleLinks } from "./visible-links.ts";

const readPage = createPager("task-activity", timeAndId, ({ createdAt, id }: ActivityEntry) => [createdAt, id]);

/** How people call the fields that can be changed back. */
const NAMES: Readonly<Record<string, string>> = {
  projectId: "project",
  dueDate: "due date",
  dueTime: "due time",
  parentId: "parent",
  blockedBy: "list of what has to be done first",
  relatesTo: "list of what concerns it",
  links: "list of linked notes and conversations",
};

export interface TaskActivityServiceDeps extends Deps<"db" | "ids"> {
  readonly tasks: Pick<TaskService, "get" | "update" | "delete" | "restore">;
  readonly taskBlocks: Pick<TaskBlockService, "replace">;
  readonly taskChecklist: Pick<TaskChecklistService, "undo">;
  readonly taskLinks: Pick<TaskLinkService, "undo">;
}

export type TaskActivityService = ReturnType<typeof createTaskActivityService>;

/** What has happened to a task, and undoing it. */
export function createTaskActivityService(deps: TaskActivityServiceDeps) {
  const { db, ids, tasks, taskBlocks, taskChecklist, taskLinks } = deps;

  async function undoDeletion(id: string, change: ChangeDetail, author: Author): Promise<void> {
    const [deletion] = change.changes;
    const { deletedAt, version } = await tasks.get(id);
    if (deletedAt !== deletion?.after) throw hasChanged(deletedAt === null ? "restored" : "deleted");
    const input = { id, expectedVersion: version };
    if (deletedAt === null) await tasks.delete(input, author, change.id);
    else await tasks.restore(input, author, change.id);
  }

  async function undoBlockers(id: string, change: ChangeDetail, author: Author): Promise<void> {
    const [blockers] = change.changes;
    const assertUnchanged = (current: readonly RecordedBlocker[]) => {
      if (!isDeepStrictEqual(new Set(idsOf(blockers?.after)), new Set(idsOf(current)))) throw hasChanged("blockedBy");
    };
    const undone = { id: change.id, assertUnchanged };
    await taskBlocks.replace({ id, blockedBy: idsOf(blockers?.before) }, author, undone);
  }

  async function undoLinks(id: string, change: ChangeDetail, author: Author): Promise<void> {
    const [links] = change.changes;
    const field = links?.field === "relatesTo" ? "relatesTo" : "links";
    const [before, after] = [idsOf(links?.before), idsOf(links?.after)];
    const assertUnchanged = (current: readonly string[]) => {
      if (!isDeepStrictEqual(new Set(after), new Set(current))) throw hasChanged(field);
    };
    await taskLinks.undo(id, { changeId: change.id, field, before, after, assertUnchanged }, author);
  }

  async function undoChecklist(id: string, change: ChangeDetail, author: Author): Promise<void> {
    const [checklist] = change.changes;
    const [before, after] = [itemsOf(checklist?.before), itemsOf(checklist?.after)];
    await taskChecklist.undo(id, { changeId: change.id, before, after }, author);
  }

  /** With what subtasks have changed with the task, except those that have been changed since. */
  async function undoFields(id: string, change: ChangeDetail, author: Author, causeId?: string): Promise<void> {
    // A note stays: it belongs to what was known when it was written.
    const fields = change.changes.filter(({ field }) => field !== "handoverNote");
    const full = fields.map(({ field, before, after }) =>
      field === "description"
        ? { field, before: change.descriptionBefore, after: change.descriptionAfter }
        : { field, before, after },
    );
    const assertUnchanged = (current: StoredTask) => {
      const values = new Map<string, unknown>(Object.entries(current));
      const other = full.find(({ field, after }) => !isDeepStrictEqual(values.get(field), after));
      if (other !== undefined) throw hasChanged(other.field);
    };
    const patch = Object.fromEntries(full.map(({ field, before }) => [field, before]));
    const undone = { id: change.id, changeId: ids(), assertUnchanged, ...(causeId !== undefined && { causeId }) };
    await tasks.update(updateTaskInput.parse({ ...patch, id }), author, { undone });
    for (const caused of await selectCausedChanges(db.pool, change.id))
      await undoFields(caused.taskId, caused, author, undone.changeId).catch((error: unknown) => {
        if (!(error instanceof ConflictError || error instanceof InvalidInputError)) throw error;
      });
  }

  return {
    /** Changes and comments, newest first, down to the creation. Throws {@link NotFoundError}. */
    async list({ id, only, limit, cursor }: ListActivity, view: LinkView): Promise<Page<ActivityEntry>> {
      await tasks.get(id);
      const parts = { hasChanges: only !== "comments", hasComments: only !== "changes" };
      const page = await readPage({ limit, cursor, filter: { id, only } }, (range) =>
        selectActivity(db.pool, { id, ...parts, ...range }),
      );
      return { ...page, items: await withVisibleLinks(db.pool, page.items, view) };
    },

    /** Throws {@link NotFoundError}. */
    async getChange(input: ChangeById, view: LinkView): Promise<ChangeDetail> {
      const change = await findChange(db, input);
      const [visible] = await withVisibleLinks(db.pool, [change], view);
      return visible ?? change;
    },

    /**
     * Gives every field of a change the value it had before; this is a change in turn, and can be undone. Throws
     * {@link NotFoundError}, {@link ConflictError} if a field has been changed since, {@link InvalidInputError} for a claim, and what
     * changing the task throws.
     */
    async undo({ id, changeId }: ChangeById, author: Author): Promise<Task> {
      const change = await findChange(db, { id, changeId });
      const fields = new Set(change.changes.map(({ field }) => field));
      if (fields.has("claim")) throw new InvalidInputError("A claim cannot be undone. Release the task, or claim it.");
      if (fields.has("deletedAt")) await undoDeletion(id, change, author);
      else if (fields.has("blockedBy")) await undoBlockers(id, change, author);
      else if (fields.has("relatesTo") || fields.has("links")) await undoLinks(id, change, author);
      else if (fields.has("checklist")) await undoChecklist(id, change, author);
      else await undoFields(id, change, author);
      return tasks.get(id);
    },
  };
}

async function findChange(db: Db, { id, changeId }: ChangeById): Promise<ChangeDetail> {
  const change = isUuid(id) && isUuid(changeId) ? await selectChange(db.pool, id, changeId) : null;
  if (change === null) throw new NotFoundError("There is no such change of this task, or it is no longer kept.");
  return change;
}

function idsOf(blockers: unknown): string[] {
  if (!Array.isArray(blockers)) return [];
  return blockers.flatMap((blocker: string | Partial<RecordedBlocker>) =>
    typeof blocker === "object" && blocker.id !== undefined ? [blocker.id] : [],
  );
}

function itemsOf(items: unknown): RecordedItem[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap(({ id, title, isDone, afterId = null }: Partial<RecordedItem>) =>
    id === undefined || title === undefined || isDone === undefined ? [] : [{ id, title, isDone, afterId }],
  );
}

function hasChanged(what: string): ConflictError {
  if (what === "deleted" || what === "restored")
    return new ConflictError(`The task has been ${what} since. Nothing was undone.`);
  return new ConflictError(`The ${NAMES[what] ?? what} has been changed since. Nothing was undone.`);
}
