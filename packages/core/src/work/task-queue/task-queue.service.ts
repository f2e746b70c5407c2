import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createFilterReader } from "../task-filter/filter-reader.ts";
import type { ChangeMark, FieldChange } from "../tasks/task-change.ts";
import { selectTask } from "../tasks/task.queries.ts";
import type { Task } from "../tasks/task.schema.ts";
import {
  claimTask,
  lockReadyTask,
  releaseTask,
  renewClaim,
  selectHindrance,
  selectReadyTasks,
  type Hindrance,
  type NewClaim,
  type ReadyTask,
  type Wanted,
} from "./task-queue.queries.ts";
import type { ClaimedTask, ClaimTask, ListReady, ReleaseTask, RenewClaim } from "./task-queue.schema.ts";

export interface TaskQueueServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** The server's: that of the days in filters, unless they come with one. */
  readonly timeZone: string;
}

export type TaskQueueService = ReturnType<typeof createTaskQueueService>;

/**
 * The queue from which people and programs take tasks. A claim is a lease: when it runs out, the task can
 * be claimed by others, without anybody having to notice.
 */
export function createTaskQueueService({ db, clock, ids, events, timeZone }: TaskQueueServiceDeps) {
  const readFilter = createFilterReader({ db, clock, timeZone });
  const publish = (task: Pick<Task, "id" | "title">) =>
    events.publish({ resource: "task", action: "edit", resourceId: task.id, resourceName: task.title });

  async function requireTask(id: string): Promise<Task> {
    const task = isUuid(id) ? await selectTask(db.pool, id) : null;
    if (task === null) throw noSuchTask();
    return task;
  }

  /** Why a task cannot be claimed. */
  async function refusalOf(id: string, partyId: string | null): Promise<Error> {
    const task = await requireTask(id);
    if (task.deletedAt !== null) return new InvalidInputError("The task is deleted. Restore it before claiming it.");
    const { claim } = task;
    if (claim !== null && new Date(claim.until) > clock.now())
      return new ConflictError(`${claim.holder} has claimed the task until ${claim.until}.`);
    if (task.assignee !== null && partyId !== null && task.assignee.id !== partyId)
      return new ConflictError(`The task is meant for ${task.assignee.name}.`);
    const hindrance = await selectHindrance(db.pool, id);
    if (hindrance !== null) return new ConflictError(describeHindrance(hindrance));
    if (task.snoozedUntil !== null && new Date(task.snoozedUntil) > clock.now())
      return new ConflictError(`The task is snoozed until ${task.snoozedUntil}.`);
    if (task.status !== "todo")
      return new ConflictError(`The task's status is ${task.status}. Only tasks with the status todo can be claimed.`);
    return new ConflictError("The task is not in this project, lacks this tag, or was changed at this moment.");
  }

  return {
    /**
     * Tasks that are open, not blocked and not claimed, in the order of the queue. Programs and agents do not see what is meant for
     * others. An unknown `projectId` matches nothing.
     */
    async listReady({ filter, timezone, firstWeekday, ...list }: ListReady, author: Author): Promise<Task[]> {
      const filtered = await readFilter({ filter, timezone, firstWeekday }, author.userId);
      if (list.projectId !== undefined && !isUuid(list.projectId)) return [];
      const partyId = author.kind === "person" ? null : partyIdOf(author);
      return selectReadyTasks(db.pool, { ...list, partyId, filtered });
    },

    /**
     * Claims a ready task and sets its status to `in_progress`; returns null if none is ready. Two callers never get the same one. With
     * an `id`, throws {@link NotFoundError}, and {@link ConflictError} with the reason if the task is not ready. Only people can claim
     * what is meant for others, and only by its id.
     */
    async claim(wanted: ClaimTask, author: Author): Promise<ClaimedTask> {
      const { id, projectId, leaseMinutes, sessionId = author.sessionId ?? null } = wanted;
      if (id !== undefined && !isUuid(id)) throw noSuchTask();
      const partyId = author.kind === "person" && id !== undefined ? null : partyIdOf(author);
      const claimId = ids();
      const mark = {
        id: ids(),
        author: sessionId === null ? author : { ...author, sessionId },
        createdAt: clock.now(),
      };
      const claim = { claimId, holder: author.name, sessionId, leaseMinutes };
      const matchesNothing = projectId !== undefined && !isUuid(projectId);
      const claimedId = matchesNothing
        ? null
        : await transaction(db.pool, (client) => takeTask(client, { ...wanted, partyId }, { ...claim, mark }));
      if (claimedId === null && id !== undefined) throw await refusalOf(id, partyId);
      if (claimedId === null) return null;
      const task = await requireTask(claimedId);
      publish(task);
      return { task, claimId };
    },

    /** Extends a claim. Throws {@link NotFoundError}, and {@link ConflictError} if the claim has ended. */
    async renew({ id, claimId, leaseMinutes }: RenewClaim): Promise<Task> {
      await requireTask(id);
      if (!isUuid(claimId) || !(await renewClaim(db.pool, { id, claimId, leaseMinutes }))) throw claimHasEnded();
      const task = await requireTask(id);
      publish(task);
      return task;
    },

    /**
     * Ends a claim, so that others can claim the task, and leaves them a note. A person may end the claim of anyone. Throws
     * {@link NotFoundError}, {@link InvalidInputError} if a program or a model gives no `claimId`, and {@link ConflictError} if the
     * claim has already ended.
     */
    async release({ id, claimId, note }: ReleaseTask, author: Author): Promise<Task> {
      await requireTask(id);
      if (claimId === undefined && author.kind !== "person") throw InvalidInputError.at("claimId", "is required");
      const isKnown = claimId === undefined || isUuid(claimId);
      const mark = { id: ids(), author, createdAt: clock.now() };
      const release = { id, claimId: claimId ?? null, note: note === undefined || note === "" ? null : note, mark };
      if (!isKnown || !(await releaseTask(db.pool, release))) throw claimHasEnded();
      const task = await requireTask(id);
      publish(task);
      return task;
    },
  };
}

/** By which id tasks are handed to the author of a call. A chat acts for its person. */
function partyIdOf({ agentId, keyId, userId }: Author): string {
  return agentId ?? keyId ?? userId;
}

/** Locks tasks in the order of the queue until one is ready, and claims it. Returns its id; null if none is ready. */
async function takeTask(
  client: PoolClient,
  wanted: Wanted,
  { mark, ...claim }: Omit<NewClaim, "id" | "change"> & { readonly mark: ChangeMark },
): Promise<string | null> {
  for (;;) {
    const task = await lockReadyTask(client, wanted);
    if (task === null) return null;
    const change = { ...mark, changes: changesOfClaim(task, claim.holder) };
    if (await claimTask(client, { id: task.id, ...claim, change })) return task.id;
    // What has begun to block it meanwhile is seen by the next look, which then passes it over.
  }
}

function changesOfClaim({ status, claimHolder }: ReadyTask, holder: string): FieldChange[] {
  const claim: FieldChange = { field: "claim", before: claimHolder, after: holder };
  return status === "in_progress" ? [claim] : [claim, { field: "status", before: status, after: "in_progress" }];
}

function describeHindrance({ kind, title }: Hindrance): string {
  switch (kind) {
    case "project":
      return `The task's project is deleted: “${title}”.`;
    case "blocker":
      return `The task waits for “${title}”.`;
    case "subtask":
      return `The task comes after its subtask “${title}”.`;
    case "parent":
      return `“${title}”, of which it is a subtask, is blocked.`;
  }
}

function noSuchTask(): NotFoundError {
  return new NotFoundError("There is no such task.");
}

function claimHasEnded(): ConflictError {
  return new ConflictError("The claim has ended: the task was released, finished, or claimed by someone else.");
}
