import { isDeepStrictEqual } from "node:util";
import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { FieldChange } from "../tasks/task-change.ts";
import { selectTask } from "../tasks/task.queries.ts";
import type { Task } from "../tasks/task.schema.ts";
import { knownParty } from "../tasks/task-party.ts";
import { handOverTask, lockTaskForHandOver, type HandedTask } from "./task-hand-over.queries.ts";
import type { HandOver } from "./task-queue.schema.ts";

export type TaskHandOverServiceDeps = Deps<"db" | "clock" | "ids" | "events">;

export type TaskHandOverService = ReturnType<typeof createTaskHandOverService>;

/** Gives tasks to a named person, agent or program. */
export function createTaskHandOverService({ db, clock, ids, events }: TaskHandOverServiceDeps) {
  return {
    /**
     * Sets whom a task is meant for, and leaves them a note; an earlier one stays without a new one. What was begun can be begun
     * again. Throws {@link NotFoundError}, {@link InvalidInputError} for a deleted or done task and for an unknown party, and
     * {@link ConflictError} if a program or a model hands over what others have claimed.
     */
    async handOver({ id, to, claimId, note = "" }: HandOver, author: Author): Promise<Task> {
      const task = await transaction(db.pool, async (client) => {
        const before = isUuid(id) ? await lockTaskForHandOver(client, id) : null;
        if (before === null) throw new NotFoundError("There is no such task.");
        if (before.deletedAt !== null)
          throw new InvalidInputError("The task is deleted. Restore it before handing it over.");
        if (before.status === "done") throw new InvalidInputError("The task is done.");
        if (before.hasClaim && author.kind !== "person" && claimId !== before.claimId)
          throw new ConflictError(`${before.claimHolder ?? "Somebody"} has claimed the task.`);
        const after = {
          id,
          assignee: await knownParty(client, to, "to"),
          status: before.status === "in_progress" ? ("todo" as const) : before.status,
          handoverNote: note === "" ? before.handoverNote : note,
        };
        const createdAt = clock.now();
        const change = { id: ids(), author, createdAt, changes: changesOf(before, after) };
        if (change.changes.length > 0) await handOverTask(client, { ...after, modifiedAt: createdAt, change });
        return { ...before, hasChanged: change.changes.length > 0 };
      });
      if (task.hasChanged)
        events.publish({ resource: "task", action: "edit", resourceId: task.id, resourceName: task.title });
      const handed = await selectTask(db.pool, id);
      if (handed === null) throw new NotFoundError("There is no such task.");
      return handed;
    },
  };
}

function changesOf(
  before: HandedTask,
  after: Pick<HandedTask, "assignee" | "status" | "handoverNote">,
): readonly FieldChange[] {
  const claim: FieldChange[] =
    before.claimId === null ? [] : [{ field: "claim", before: before.claimHolder, after: null }];
  const fields = (["assignee", "status", "handoverNote"] as const)
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, before: before[field], after: after[field] }));
  return [...claim, ...fields];
}
