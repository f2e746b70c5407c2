import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { TaskChecklistService } from "../task-checklist/task-checklist.service.ts";
import { replaceBlockersWithin } from "../task-queue/task-blocks.service.ts";
import { selectBlockedTasks, selectBlockers, selectKnownTasks } from "../task-queue/task-queue.queries.ts";
import { lockTaskDependencies } from "../tasks/task-dependencies.queries.ts";
import { selectTask, selectTaskForUpdate } from "../tasks/task.queries.ts";
import type { TaskRef } from "../tasks/task.schema.ts";
import { attend, hasAny, refer, relate, type Ids, type LinkContext } from "./link-change.ts";
import { identifyNotes, type LinkView } from "./link-view.ts";
import {
  selectDirectSubtasks,
  selectLinkedTasks,
  selectLinks,
  selectParents,
  selectRelated,
  selectTargets,
  selectTasksOfSession,
} from "./task-links.queries.ts";
import type { ChangeLinks, LinkedTasks, NewLink, TaskDetails } from "./task-links.schema.ts";

/** Links that are changed by undoing an earlier change of them. */
export interface UndoneLinks {
  readonly changeId: string;
  readonly field: "relatesTo" | "links";
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Throws if the links, by their ids, are not as the change has left them. */
  readonly assertUnchanged: (current: readonly string[]) => void;
}

export interface TaskLinkServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  readonly taskChecklist: Pick<TaskChecklistService, "find">;
}

export type TaskLinkService = ReturnType<typeof createTaskLinkService>;

/** What tasks have to do with each other, and with notes, sessions of assistants and conversations. */
export function createTaskLinkService({ db, clock, ids, events, taskChecklist }: TaskLinkServiceDeps) {
  const publish = ({ id, title }: Named) =>
    events.publish({ resource: "task", action: "edit", resourceId: id, resourceName: title });

  async function details(id: string, view: LinkView): Promise<TaskDetails> {
    if (!isUuid(id) || (await selectTask(db.pool, id)) === null) throw noSuchTask();
    return { checklist: await taskChecklist.find(id), ...(await readLinks(db, id, view)) };
  }

  return {
    /** Everything that belongs to a task, besides its sessions. Throws {@link NotFoundError}. */
    details,

    /**
     * Adds and removes single links; what others add or remove at the same time stays. Throws {@link NotFoundError}, and
     * {@link InvalidInputError} for a deleted task, for targets that do not exist, and for tasks that wait for each other.
     */
    async change(change: ChangeLinks, author: Author, view: LinkView): Promise<TaskDetails> {
      const { id } = change;
      const changed = await transaction(db.pool, async (client) => {
        const task = await lockTask(client, id);
        const add = await identifyNotes(client, change.add ?? [], view);
        const remove = await identifyNotes(client, change.remove ?? [], view);
        return [task, ...(await changeAll(client, { id, add, remove }, { ids, author, now: clock.now() }))];
      });
      changed.forEach(publish);
      return details(id, view);
    },

    /** Throws what `change` and `assertUnchanged` throw. */
    async undo(
      id: string,
      { changeId, field, before, after, assertUnchanged }: UndoneLinks,
      author: Author,
    ): Promise<void> {
      const context = { ids, author, now: clock.now(), undoesId: changeId };
      const task = await transaction(db.pool, async (client) => {
        const current = await lockTask(client, id);
        const add = before.filter((other) => !after.includes(other));
        const remove = after.filter((other) => !before.includes(other));
        if (field === "relatesTo") {
          assertUnchanged((await selectRelated(client, id)).map((other) => other.id));
          await relate(client, id, { add, remove }, context);
          return current;
        }
        assertUnchanged((await selectLinks(client, id)).flatMap((link) => (link.isSet ? [link.id] : [])));
        // What is gone by now is left out.
        const targets = await selectTargets(client, { notes: add, conversations: add });
        const added = (kind: string) => targets.flatMap((target) => (target.kind === kind ? [target.id] : []));
        const conversations = { add: added("conversation"), remove: [] };
        await refer(client, id, { notes: { add: added("note"), remove }, conversations }, context);
        return current;
      });
      publish(task);
    },

    /** The active tasks that refer to a note, a session or a conversation. */
    async linkedTo({ kind, targetId }: LinkedTasks, view: LinkView): Promise<TaskRef[]> {
      if (kind === "session") return selectTasksOfSession(db.pool, targetId);
      const [target] = await identifyNotes(db.pool, [{ kind, id: targetId }], view);
      return target !== undefined && isUuid(target.id) ? selectLinkedTasks(db.pool, kind, target.id) : [];
    },
  };
}

type Named = Pick<TaskRef, "id" | "title">;

async function readLinks(db: Db, id: string, view: LinkView): Promise<Omit<TaskDetails, "checklist">> {
  const [parents, subtasks, blockedBy, blocks, relatesTo, links] = await Promise.all([
    selectParents(db.pool, id),
    selectDirectSubtasks(db.pool, id),
    selectBlockers(db.pool, id),
    selectBlockedTasks(db.pool, id),
    selectRelated(db.pool, id),
    selectLinks(db.pool, id),
  ]);
  const notes = links.filter(({ kind, path }) => kind === "note" && view.showsNote(path));
  const conversations = links.filter(({ kind }) => kind === "conversation" && view.showsConversations);
  return {
    parents,
    subtasks,
    blockedBy,
    blocks,
    relatesTo,
    notes: notes.map(({ id: noteId, title, path, isGone, isNamed }) => ({ id: noteId, title, path, isGone, isNamed })),
    conversations: conversations.map(({ id: conversationId, title, isGone }) => ({
      id: conversationId,
      title,
      isGone,
    })),
  };
}

async function lockTask(client: PoolClient, id: string): Promise<Named> {
  await lockTaskDependencies(client);
  const task = isUuid(id) ? await selectTaskForUpdate(client, id) : null;
  if (task === null) throw noSuchTask();
  if (task.deletedAt !== null) throw new InvalidInputError("The task is deleted. Restore it before changing it.");
  return task;
}

/** Returns the other tasks that change with it. */
async function changeAll(
  client: PoolClient,
  { id, add, remove }: { id: string; add: readonly NewLink[]; remove: readonly NewLink[] },
  context: LinkContext,
): Promise<Named[]> {
  const of = (kind: NewLink["kind"]): Ids => ({ add: idsOf(add, kind), remove: idsOf(remove, kind) });
  const [blockedBy, blocks, relatesTo] = [of("blockedBy"), of("blocks"), of("relatesTo")];
  const others: Named[] = [];
  if (hasAny(blockedBy)) await replaceBlockersWithin(client, { id, next: merging(blockedBy) }, context);
  for (const other of new Set([...blocks.add, ...blocks.remove])) {
    const links = blocks.add.includes(other) ? { add: [id], remove: [] } : { add: [], remove: [id] };
    others.push(await replaceBlockersWithin(client, { id: other, next: merging(links) }, context));
  }
  if (hasAny(relatesTo)) {
    await relate(client, id, relatesTo, context);
    others.push(...(await selectKnownTasks(client, [...relatesTo.add, ...relatesTo.remove].filter(isUuid))));
  }
  const references = { notes: of("note"), conversations: of("conversation") };
  if (hasAny(references.notes) || hasAny(references.conversations)) await refer(client, id, references, context);
  if (hasAny(of("session"))) await attend(client, id, of("session"), context.now);
  return others;
}

const merging =
  ({ add, remove }: Ids) =>
  (before: readonly string[]) => [...before.filter((other) => !remove.includes(other)), ...add];

function idsOf(links: readonly NewLink[], kind: NewLink["kind"]): string[] {
  return [...new Set(links.flatMap((link) => (link.kind === kind ? [link.id] : [])))];
}

function noSuchTask(): NotFoundError {
  return new NotFoundError("There is no such task.");
}
