import { toSearchText } from "../../platform/fold-text.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { firstDueDate } from "../recurrence/repeated-due.ts";
import { isPlainDate, parseDueDate } from "./due-date.ts";
import { normalizeTags } from "./tags.ts";
import { completedAtFor } from "./task-status.ts";
import type { StoredTask, TaskValues } from "./task.queries.ts";
import type { Party, UpdateTask } from "./task.schema.ts";

/** The fields to change, with whom the task is meant for as that is stored. */
export interface TaskPatch extends Omit<UpdateTask, "id" | "expectedVersion" | "claimId" | "assignee"> {
  readonly assignee?: Party | null | undefined;
}

/** The values of a new task that its creator did not give. */
export function defaultTask(id: string): StoredTask {
  return {
    id,
    title: "",
    description: null,
    status: "todo",
    priority: 2,
    projectId: null,
    dueDate: null,
    dueTime: null,
    tags: [],
    assignee: null,
    completedAt: null,
    deletedAt: null,
    parentId: null,
    version: 1,
    repeat: null,
    repeatFrom: "due",
    repeatTimezone: null,
    nextId: null,
    snoozedUntil: null,
  };
}

/** When a change is made, and where. */
export interface ChangedAt {
  readonly now: Date;
  /** The server's, for tasks that have none of their own. */
  readonly timeZone: string;
}

/**
 * Changes only the fields given. A due time stays when the date changes, until there is no plain date any more that it could
 * belong to. Throws {@link InvalidInputError} if one is given without such a date.
 */
export function applyPatch(current: StoredTask, patch: TaskPatch, { now, timeZone }: ChangedAt): TaskValues {
  const status = patch.status ?? current.status;
  const title = patch.title ?? current.title;
  const description = patch.description === undefined ? current.description : patch.description;
  const completedAt = current.completedAt === null ? null : new Date(current.completedAt);
  return {
    id: current.id,
    title,
    description,
    status,
    priority: patch.priority ?? current.priority,
    projectId: patch.projectId === undefined ? current.projectId : patch.projectId,
    ...dueOf(current, withFirstDate(current, patch, { now, timeZone })),
    repeat: patch.repeat === undefined ? current.repeat : patch.repeat,
    repeatFrom: patch.repeatFrom ?? current.repeatFrom,
    repeatTimezone: patch.repeatTimezone === undefined ? current.repeatTimezone : patch.repeatTimezone,
    nextId: current.nextId,
    snoozedUntil: patch.snoozedUntil === undefined ? current.snoozedUntil : patch.snoozedUntil,
    tags: patch.tags === undefined ? current.tags : normalizeTags(patch.tags),
    assignee: patch.assignee === undefined ? current.assignee : patch.assignee,
    completedAt: completedAtFor(status, completedAt, now),
    modifiedAt: now,
    searchText: toSearchText(title, description),
    parentId: patch.parentId === undefined ? current.parentId : patch.parentId,
  };
}

/** A task that begins to repeat and has no date begins on the first one of its rule. */
function withFirstDate(
  current: StoredTask,
  patch: Pick<UpdateTask, "dueDate" | "dueTime" | "repeat" | "repeatTimezone">,
  { now, timeZone }: ChangedAt,
): Pick<UpdateTask, "dueDate" | "dueTime"> {
  const { repeat, dueDate } = patch;
  if (repeat === undefined || repeat === null || dueDate !== undefined || current.dueDate !== null) return patch;
  const zone = patch.repeatTimezone ?? current.repeatTimezone ?? timeZone;
  const dueTime = patch.dueTime === undefined ? current.dueTime : patch.dueTime;
  const first = firstDueDate({ repeat, dueTime, zone }, now);
  if (first === null) throw InvalidInputError.at("repeat", "has no date in the near future");
  return { ...patch, dueDate: first };
}

function dueOf(
  current: StoredTask,
  patch: Pick<UpdateTask, "dueDate" | "dueTime">,
): Pick<StoredTask, "dueDate" | "dueTime"> {
  const given = patch.dueDate;
  const dueDate = given === undefined ? current.dueDate : given === null ? null : parseDueDate(given);
  const dueTime = patch.dueTime === undefined ? current.dueTime : patch.dueTime;
  if (dueTime === null || (dueDate !== null && isPlainDate(dueDate))) return { dueDate, dueTime };
  if (patch.dueTime === undefined) return { dueDate, dueTime: null };
  throw InvalidInputError.at(
    "dueTime",
    dueDate === null ? "needs a due date" : "the due date is a date-time, which has its time already",
  );
}
