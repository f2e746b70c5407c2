import type { PoolClient } from "@workspace/db";
import { assertVersion, parseExpectedVersions } from "../../platform/entity-version.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { givesFields } from "../../platform/given-fields.ts";
import { isUuid, type IdGenerator } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { isActiveProject } from "../projects/project.queries.ts";
import type { ChangeMark } from "./task-change.ts";
import { assertMayEndClaims } from "./task-claim.ts";
import { lockTaskDependencies } from "./task-dependencies.queries.ts";
import { changeOf } from "./task-diff.ts";
import { selectTasksForUpdate, updateFollowingTasks } from "./task-followers.queries.ts";
import { repeatTask } from "./task-repetition.ts";
import { knownParty } from "./task-party.ts";
import { requireParent } from "./task-tree.ts";
import { selectSubtasks, type Subtask } from "./task-tree.queries.ts";
import { applyPatch, type ChangedAt } from "./task-values.ts";
import { selectTaskForUpdate, updateTask, type StoredTask, type TaskValues } from "./task.queries.ts";
import type { UpdateTask } from "./task.schema.ts";

/** An update that undoes an earlier change. */
export interface UndoneChange {
  readonly id: string;
  /** The id that the update gets in the history. */
  readonly changeId: string;
  /** That of the change of the parent that is undone with it. */
  readonly causeId?: string;
  /** Throws if the task is not as the change has left it. */
  readonly assertUnchanged: (current: StoredTask) => void;
}

export interface UpdateContext extends ChangedAt {
  readonly author: Author;
  readonly ids: IdGenerator;
  readonly undone?: UndoneChange | undefined;
}

/** A task that was changed, to announce it. */
export type ChangedTask = Pick<StoredTask, "id" | "title">;

/** What an update has led to, to announce it. */
export interface Updated {
  /** The task first. */
  readonly changed: readonly ChangedTask[];
  /** What follows a repeating task that is done. */
  readonly created: readonly ChangedTask[];
  /** What was to follow one that is done no more. */
  readonly removed: readonly ChangedTask[];
}

/**
 * Changes the given fields of a task in a transaction, and what its subtasks have in common with it: when it is done they are, too, and
 * they move to its project with it. Then the next one follows, if it repeats. Changes nothing if no field was given.
 */
export async function updateWithin(
  client: PoolClient,
  { id, expectedVersion, claimId, ...given }: UpdateTask,
  { author, now, timeZone, ids, undone }: UpdateContext,
): Promise<Updated> {
  if (given.parentId !== undefined) await lockTaskDependencies(client);
  const current = isUuid(id) ? await selectTaskForUpdate(client, id) : null;
  if (current === null) throw new NotFoundError("There is no such task.");
  if (current.deletedAt !== null) throw new InvalidInputError("The task is deleted. Restore it before changing it.");
  assertVersion(parseExpectedVersions(expectedVersion), current.version);
  undone?.assertUnchanged(current);
  await requireActiveProject(client, given.projectId);
  const patch = await withParentsProject(client, current, given);
  if (!givesFields(patch)) return { changed: [], created: [], removed: [] };
  const hasStatus = patch.status !== undefined;
  const endsClaim = hasStatus && patch.status !== "in_progress";
  if (endsClaim) await assertMayEndClaims(client, [id], { author, claimId });
  const assignee = await knownParty(client, patch.assignee);
  const values = applyPatch(current, { ...patch, assignee }, { now, timeZone });
  const mark = markOf({ author, now, timeZone, ids, undone });
  const change = changeOf(mark, current, values);
  await updateTask(client, values, { hasStatus, change });
  // An undone change brought its subtasks with it, and takes them back itself.
  const followers = undone === undefined ? await followersOf(client, current, values) : [];
  if (values.status === "done" && followers.length > 0) {
    const followerIds = followers.map((follower) => follower.id);
    await assertMayEndClaims(client, followerIds, { author, claimId });
  }
  await updateFollowers(client, followers, { before: current, after: values, now, timeZone }, () => ({
    ...mark,
    id: ids(),
    causeId: mark.id,
  }));
  const repetition = { before: current, after: values, author, ids, now, timeZone };
  const { created, removed } = await repeatTask(client, repetition);
  return { changed: [values, ...followers], created, removed };
}

function markOf({ author, now, ids, undone }: UpdateContext): ChangeMark {
  const mark = { id: undone?.changeId ?? ids(), author, createdAt: now };
  if (undone === undefined) return mark;
  return { ...mark, undoesId: undone.id, ...(undone.causeId !== undefined && { causeId: undone.causeId }) };
}

/** Throws {@link InvalidInputError} if a project is given that is not active. */
export async function requireActiveProject(client: PoolClient, projectId: string | null | undefined): Promise<void> {
  if (projectId === undefined || projectId === null) return;
  if (!isUuid(projectId) || !(await isActiveProject(client, projectId))) throw noSuchProject();
}

export function noSuchProject(): InvalidInputError {
  return InvalidInputError.at("projectId", "expected the id of an active project");
}

type Patch = Omit<UpdateTask, "id" | "expectedVersion" | "claimId">;

/** What becomes a subtask moves to the project of its parent, unless a project is given. */
async function withParentsProject(client: PoolClient, current: StoredTask, patch: Patch): Promise<Patch> {
  const { parentId } = patch;
  if (parentId === undefined || parentId === null || parentId === current.parentId) return patch;
  const { projectId } = await requireParent(client, { id: current.id, parentId });
  if (patch.projectId !== undefined || projectId === current.projectId) return patch;
  return projectId !== null && !(await isActiveProject(client, projectId)) ? patch : { ...patch, projectId };
}

interface ParentChange extends ChangedAt {
  readonly before: StoredTask;
  readonly after: TaskValues;
}

/** The subtasks that change with a task. */
async function followersOf(client: PoolClient, before: StoredTask, after: TaskValues): Promise<Subtask[]> {
  const isCompleted = after.status === "done" && before.status !== "done";
  const isMoved = after.projectId !== before.projectId;
  if (!isCompleted && !isMoved) return [];
  const subtasks = await selectSubtasks(client, before.id);
  return subtasks.filter(
    ({ deletedAt, status, projectId }) =>
      deletedAt === null && ((isCompleted && status !== "done") || (isMoved && projectId === before.projectId)),
  );
}

async function updateFollowers(
  client: PoolClient,
  followers: readonly Subtask[],
  { before, after, now, timeZone }: ParentChange,
  createMark: () => ChangeMark,
): Promise<void> {
  if (followers.length === 0) return;
  const locked = await selectTasksForUpdate(
    client,
    followers.map(({ id }) => id),
  );
  const following = locked.map((current) => {
    const isCompleted = after.status === "done" && before.status !== "done" && current.status !== "done";
    const isMoved = after.projectId !== before.projectId && current.projectId === before.projectId;
    const patch = { ...(isCompleted && { status: after.status }), ...(isMoved && { projectId: after.projectId }) };
    const values = applyPatch(current, patch, { now, timeZone });
    return { values, change: changeOf(createMark(), current, values) };
  });
  await updateFollowingTasks(client, following, now);
}
