import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { ChecklistItem, RecordedItem } from "../tasks/checklist.ts";
import type { Task } from "../tasks/task.schema.ts";
import type { TaskService } from "../tasks/task.service.ts";
import { selectSubtasks } from "../tasks/task-tree.queries.ts";
import { changedChecklist, changeOfChecklist, undoneChecklist } from "./checklist-change.ts";
import { selectChecklist, selectChecklistForUpdate, updateChecklist } from "./task-checklist.queries.ts";
import type { ChangeChecklist, ConvertChecklist, ConvertedChecklist } from "./task-checklist.schema.ts";

/** A change of a checklist to undo. */
export interface UndoneItems {
  readonly changeId: string;
  readonly before: readonly RecordedItem[];
  readonly after: readonly RecordedItem[];
}

export interface TaskChecklistServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  readonly tasks: Pick<TaskService, "get" | "create" | "update" | "delete">;
}

export type TaskChecklistService = ReturnType<typeof createTaskChecklistService>;

/** The checklists of tasks: items that need no more than a text and a tick. */
export function createTaskChecklistService({ db, clock, ids, events, tasks }: TaskChecklistServiceDeps) {
  /** Changes a checklist under a lock, so that no item changed at the same time is lost. */
  async function rewrite(
    id: string,
    author: Author,
    next: (items: readonly ChecklistItem[]) => ChecklistItem[],
    undoesId?: string,
  ): Promise<ChecklistItem[]> {
    const { title, items, hasChanged } = await transaction(db.pool, async (client) => {
      const current = isUuid(id) ? await selectChecklistForUpdate(client, id) : null;
      if (current === null) throw noSuchTask();
      if (current.deletedAt !== null)
        throw new InvalidInputError("The task is deleted. Restore it before changing it.");
      const changed = next(current.items);
      const change = changeOfChecklist(current.items, changed);
      if (change === null) return { title: current.title, items: current.items, hasChanged: false };
      const createdAt = clock.now();
      const mark = { id: ids(), author, createdAt, ...(undoesId !== undefined && { undoesId }) };
      await updateChecklist(client, { id, items: changed, modifiedAt: createdAt }, { ...mark, changes: [change] });
      return { title: current.title, items: changed, hasChanged: true };
    });
    if (hasChanged) events.publish({ resource: "task", action: "edit", resourceId: id, resourceName: title });
    return items;
  }

  async function toSubtasks(id: string, itemIds: readonly string[], author: Author): Promise<ConvertedChecklist> {
    const wanted = new Set(itemIds);
    const items = (await find(id)).filter((item) => wanted.has(item.id));
    if (items.length < wanted.size) throw new ConflictError("An item of the checklist is not there any more.");
    const created = [];
    for (const { text, isDone } of items)
      created.push(await tasks.create({ title: text, parentId: id, ...(isDone && { status: "done" }) }, author));
    // Only now: if this fails, there is something twice, and nothing is lost.
    const checklist = await rewrite(id, author, (current) => current.filter((item) => !wanted.has(item.id)));
    return { checklist, created };
  }

  async function toItems(id: string, subtaskIds: readonly string[], author: Author): Promise<ConvertedChecklist> {
    const subtasks: Task[] = [];
    for (const subtaskId of new Set(subtaskIds)) {
      const subtask = await tasks.get(subtaskId);
      if (subtask.parentId !== id || subtask.deletedAt !== null)
        throw InvalidInputError.at("subtaskIds", `${subtaskId} is not a subtask of this task`);
      if ((await selectSubtasks(db.pool, subtaskId)).some(({ deletedAt }) => deletedAt === null))
        throw InvalidInputError.at("subtaskIds", `“${subtask.title}” has subtasks, which an item cannot have`);
      subtasks.push(subtask);
    }
    const checklist = await rewrite(id, author, (items) => {
      const changed = changedChecklist(items, { add: subtasks.map(({ title }) => title) }, ids);
      return changed.map((item, index) => {
        const subtask = subtasks[index - items.length];
        return subtask === undefined ? item : { ...item, isDone: subtask.status === "done" };
      });
    });
    for (const { id: subtaskId, version } of subtasks)
      await tasks.delete({ id: subtaskId, expectedVersion: version }, author);
    return { checklist, created: [] };
  }

  async function find(id: string): Promise<ChecklistItem[]> {
    const found = isUuid(id) ? await selectChecklist(db.pool, id) : null;
    if (found === null) throw noSuchTask();
    return found.items;
  }

  return {
    /** The items in their order. Throws {@link NotFoundError}. */
    find,

    /**
     * Adds, changes, moves and removes items at once; items that are not named stay as they are, whoever changes them at the same time.
     * Throws {@link NotFoundError}, {@link InvalidInputError} for a deleted task and for too many items, and ConflictError if an item is
     * not there any more, or a new one has the id of another.
     */
    async change({ id, ...change }: ChangeChecklist, author: Author): Promise<ChecklistItem[]> {
      return rewrite(id, author, (items) => changedChecklist(items, change, ids));
    },

    /** Throws ConflictError if an item is not as the change has left it, and what `change` throws. */
    async undo(id: string, { changeId, before, after }: UndoneItems, author: Author): Promise<void> {
      await rewrite(id, author, (items) => undoneChecklist(items, { before, after }), changeId);
    },

    /** Makes items subtasks, or subtasks items. Throws what `change`, and what creating and deleting tasks throw. */
    async convert({ id, itemIds, subtaskIds }: ConvertChecklist, author: Author): Promise<ConvertedChecklist> {
      return itemIds === undefined ? toItems(id, subtaskIds ?? [], author) : toSubtasks(id, itemIds, author);
    },
  };
}

function noSuchTask(): NotFoundError {
  return new NotFoundError("There is no such task.");
}
