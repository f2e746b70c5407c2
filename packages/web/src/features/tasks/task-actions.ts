import { newLocalId } from "../../api/local-id.ts";
import { toRequestError, type RequestError } from "../../api/request-error.ts";
import { writeOptimistically, type WriteOutbox } from "../../api/optimistic-write.ts";
import type { Client } from "../../client/client.ts";
import { nextWeek, todayOf, toPlainDate } from "../../dates/day.ts";
import { chosenFirstWeekday } from "../../dates/use-first-weekday.ts";
import { undoStack, type UndoableAction } from "../../undo/undo-stack.ts";
import { projectCollection } from "../projects/project-collection.ts";
import { fieldsOf, pick, toServer, type TaskChange } from "../outbox/kept-change.ts";
import { outbox } from "../outbox/outbox.ts";
import { seenTask } from "../outbox/seen-row.ts";
import { SHOWN_ELSEWHERE, shownTask } from "../outbox/shown-change.ts";
import { taskCollection } from "./task-collection.ts";
import { applyPatch, inverseOf, isChange } from "./task-patch.ts";
import { countTasks, isOpen, STATUS_LABELS, type Task, type TaskPatch } from "./task.ts";
import { toasts } from "../../components/toast.ts";

/** One change for all tasks, or a function of the task. */
export type PatchOf = TaskPatch | ((task: Task) => TaskPatch);

/** Changes tasks optimistically; refusals are rolled back and shown. Undoable. */
export async function updateTasks(client: Client, ids: readonly string[], patch: PatchOf): Promise<void> {
  const patchOf = typeof patch === "function" ? patch : () => patch;
  const before = withSubtasks(client, loadedTasks(client, ids), patchOf).filter((task) =>
    isChange(patchOf(task), task),
  );
  const [first] = before;
  if (first === undefined) return;
  const { status, snoozedUntil } = patchOf(first);
  const action: UndoableAction = {
    id: newLocalId(),
    label:
      status === undefined
        ? `${snoozedUntil == null ? "Changed" : "Snoozed"} ${countTasks(before.length)}`
        : `Moved ${countMany(before)}to ${STATUS_LABELS[status]}`,
    detail: titleOfOne(before),
    undo: () =>
      void sendAll(
        client,
        before,
        (task) => sendUpdate(client, task.id, inverseOf(patchOf(task), task)),
        "undo the change to",
      ),
  };
  // A changed field is visible; a changed status may have moved the task out of view.
  undoStack(client).offer(action, {
    isQuiet: status === undefined && snoozedUntil === undefined && before.length === 1,
  });
  await sendAll(client, before, (task) => sendUpdate(client, task.id, patchOf(task)), "change", action);
}

/** Makes tasks due on the first day of next week, as the settings say which that is. Undoable. */
export function moveToNextWeek(client: Client, ids: readonly string[]): Promise<void> {
  const dueDate = toPlainDate(nextWeek(todayOf(new Date()), chosenFirstWeekday(client)));
  return updateTasks(client, ids, { dueDate });
}

/** Deletes tasks optimistically. Undoable. */
export async function deleteTasks(client: Client, ids: readonly string[]): Promise<void> {
  const tasks = loadedTasks(client, ids).filter((task) => task.deletedAt === null);
  if (tasks.length === 0) return;
  const action: UndoableAction = {
    id: newLocalId(),
    label: tasks.length === 1 ? "Task deleted" : `Deleted ${countTasks(tasks.length)}`,
    detail: titleOfOne(tasks),
    undo: () =>
      void restoreTasks(
        client,
        tasks.map((task) => task.id),
      ),
  };
  undoStack(client).offer(action);
  await sendAll(client, tasks, (task) => sendDeletedAt(client, task.id, new Date().toISOString()), "delete", action);
}

/** Restores deleted tasks optimistically. */
export async function restoreTasks(client: Client, ids: readonly string[]): Promise<void> {
  const tasks = loadedTasks(client, ids).filter((task) => task.deletedAt !== null);
  await sendAll(client, tasks, (task) => sendDeletedAt(client, task.id, null), "restore");
}

/**
 * Changes one task's text. Rejects with a RequestError if the server refuses: the caller keeps the text and shows the error.
 * Undoable.
 */
export async function saveTaskText(
  client: Client,
  id: string,
  patch: Pick<TaskPatch, "title" | "description">,
): Promise<void> {
  const task = taskCollection(client).get(id);
  if (task === undefined || !isChange(patch, task)) return;
  await sendUpdate(client, task.id, patch);
  undoStack(client).offer(
    {
      id: newLocalId(),
      label: "Changed the text",
      undo: () => void updateTasks(client, [task.id], inverseOf(patch, task)),
    },
    { isQuiet: true },
  );
}

export async function sendUpdate(client: Client, rowId: string, patch: TaskPatch): Promise<void> {
  const now = new Date().toISOString();
  const task = taskCollection(client).get(rowId);
  const before = task === undefined ? {} : pick(task, fieldsOf(patch));
  await writeOptimistically({
    collection: taskCollection(client),
    rowId,
    outbox: keptBy(client, rowId, { kind: "update", patch, before }),
    apply: (row) => row && applyPatch(row, patch, now, (id) => projectCollection(client).get(id)),
    send: (id) => client.api.tasks.update.mutate({ ...toServer(patch), id }),
    confirm: (output) => output.data,
  });
}

/** Has a change of a task kept while the server is away. */
export function keptBy(client: Client, rowId: string, change: TaskChange): WriteOutbox<Task> {
  const { isFirst, keep } = outbox(client);
  const title = taskCollection(client).get(rowId)?.title ?? (change.kind === "create" ? change.shown.title : "");
  return { isFirst, keep: (pending) => keep({ rowId: localIdOf(client, rowId), title, change }, shownTask(pending)) };
}

/**
 * Sends a change of what belongs to a task, or keeps it while the server is away. Returns the response; undefined if it is kept. Rejects
 * with a RequestError if the server refuses it.
 */
export async function sendOrKeep<Output>(
  client: Client,
  taskId: string,
  change: TaskChange,
  send: () => Promise<Output>,
): Promise<Output | undefined> {
  const { isFirst, keep } = outbox(client);
  const title = taskCollection(client).get(taskId)?.title ?? "";
  const keepIt = () => keep({ rowId: localIdOf(client, taskId), title, change }, SHOWN_ELSEWHERE);
  if (isFirst() && (await keepIt())) return undefined;
  try {
    return await send();
  } catch (error) {
    const failure = toRequestError(error);
    if (failure.kind === "no-response" && (await keepIt())) return undefined;
    throw failure;
  }
}

/** The id under which earlier changes of the task are kept. */
function localIdOf(client: Client, rowId: string): string {
  const first = taskCollection(client).keyOf(rowId);
  return outbox(client)
    .changes.get()
    .some((kept) => kept.rowId === first)
    ? first
    : rowId;
}

async function sendDeletedAt(client: Client, rowId: string, deletedAt: string | null): Promise<void> {
  const task = taskCollection(client).get(rowId);
  await writeOptimistically({
    collection: taskCollection(client),
    rowId,
    outbox: keptBy(
      client,
      rowId,
      deletedAt === null
        ? { kind: "restore", at: "" }
        : { kind: "delete", at: deletedAt, ...(task !== undefined && { seen: seenTask(task) }) },
    ),
    apply: (row) => row && { ...row, deletedAt },
    send: (id) =>
      deletedAt === null ? client.api.tasks.restore.mutate({ id }) : client.api.tasks.delete.mutate({ id }),
    confirm: (output, shown) => shown && { ...shown, deletedAt: output.data.deletedAt },
  });
}

/** Sends one write per task; reports those that were refused, and offers to retry them. */
export async function sendAll(
  client: Client,
  tasks: readonly Task[],
  send: (task: Task) => Promise<void>,
  verb: string,
  action?: UndoableAction,
): Promise<void> {
  const results = await Promise.allSettled(tasks.map(send));
  const failed = tasks.filter((_, index) => results[index]?.status === "rejected");
  if (failed.length === 0) return;
  if (action !== undefined && failed.length === tasks.length) undoStack(client).withdraw(action);
  const reason = results.find((result) => result.status === "rejected")?.reason;
  showFailure(client, `Could not ${verb} ${describeTasks(failed)}`, toRequestError(reason), action?.id, () => {
    if (action !== undefined) undoStack(client).offer(action, { isQuiet: true });
    void sendAll(client, failed, send, verb, action);
  });
}

function showFailure(
  client: Client,
  message: string,
  error: RequestError,
  id: string | undefined,
  retry: () => void,
): void {
  toasts(client).show({
    message,
    detail: error.message,
    tone: "danger",
    action: { label: "Try again", run: retry },
    ...(id !== undefined && { id }),
  });
}

/** With the open subtasks of those that are done, which the server completes, too: so undoing reopens all of them. */
function withSubtasks(client: Client, tasks: readonly Task[], patchOf: (task: Task) => TaskPatch): Task[] {
  const completed = new Set(tasks.flatMap((task) => (patchOf(task).status === "done" ? [task.id] : [])));
  const all = new Map(tasks.map((task) => [task.id, task]));
  if (completed.size === 0) return [...all.values()];
  const open = [...taskCollection(client).getSnapshot().values()].filter(
    (task) => task.parentId !== null && isOpen(task),
  );
  // Sets are iterated with what is added meanwhile: one level after the other.
  for (const id of completed)
    for (const task of open)
      if (task.parentId === id && !all.has(task.id)) {
        all.set(task.id, task);
        completed.add(task.id);
      }
  return [...all.values()];
}

export function loadedTasks(client: Client, ids: readonly string[]): Task[] {
  return ids.map((id) => taskCollection(client).get(id)).filter((task) => task !== undefined);
}

/**
 * The title, if there is only one task; it is shown below the label, so that a long title does not truncate the label.
 */
export function titleOfOne(tasks: readonly Task[]): string | undefined {
  return tasks.length === 1 ? tasks[0]?.title : undefined;
}

/** "3 tasks ", or nothing for a single task, whose title is shown instead. */
export function countMany(tasks: readonly Task[]): string {
  return tasks.length === 1 ? "" : `${countTasks(tasks.length)} `;
}

function describeTasks(tasks: readonly Task[]): string {
  const [first] = tasks;
  return tasks.length === 1 && first !== undefined ? `“${first.title}”` : countTasks(tasks.length);
}
