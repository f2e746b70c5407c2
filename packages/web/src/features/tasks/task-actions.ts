import { newLocalId } from "../../api/local-id.ts";
import { showToast } from "../../components/toast.ts";
import { toRequestError, type RequestError } from "../../api/request-error.ts";
import { writeOptimistically } from "../../api/optimistic-write.ts";
import { trpcClient } from "../../api/trpc.ts";
import { offerUndo, withdrawUndo, type UndoableAction } from "../../undo/undo-stack.ts";
import { projectCollection } from "../projects/project-collection.ts";
import { taskCollection } from "./task-collection.ts";
import { applyPatch, inverseOf, isChange } from "./task-patch.ts";
import { countTasks, STATUS_LABELS, type Task, type TaskPatch } from "./task.ts";

/** The same change for every task, or one that depends on the task. */
export type PatchOf = TaskPatch | ((task: Task) => TaskPatch);

/** Changes tasks at once, and tells and takes back what the server refuses. Undoable. */
export async function updateTasks(ids: readonly string[], patch: PatchOf): Promise<void> {
  const patchOf = typeof patch === "function" ? patch : () => patch;
  const before = known(ids).filter((task) => isChange(patchOf(task), task));
  const [first] = before;
  if (first === undefined) return;
  const { status } = patchOf(first);
  const action: UndoableAction = {
    id: newLocalId(),
    label:
      status === undefined
        ? `Changed ${countTasks(before.length)}`
        : `Moved ${countMany(before)}to ${STATUS_LABELS[status]}`,
    detail: titleOfOne(before),
    undo: () =>
      void sendAll(before, (task) => sendUpdate(task.id, inverseOf(patchOf(task), task)), "undo the change of"),
  };
  // A changed field is in sight; a changed status may have moved the task out of it.
  offerUndo(action, { isQuiet: status === undefined && before.length === 1 });
  await sendAll(before, (task) => sendUpdate(task.id, patchOf(task)), "change", action);
}

/** Deletes tasks at once. Undoable. */
export async function deleteTasks(ids: readonly string[]): Promise<void> {
  const tasks = known(ids).filter((task) => task.deletedAt === null);
  if (tasks.length === 0) return;
  const action: UndoableAction = {
    id: newLocalId(),
    label: tasks.length === 1 ? "Task deleted" : `Deleted ${countTasks(tasks.length)}`,
    detail: titleOfOne(tasks),
    undo: () => void restoreTasks(tasks.map((task) => task.id)),
  };
  offerUndo(action);
  await sendAll(tasks, (task) => sendDeletedAt(task.id, new Date().toISOString()), "delete", action);
}

/** Brings deleted tasks back at once. */
export async function restoreTasks(ids: readonly string[]): Promise<void> {
  const tasks = known(ids).filter((task) => task.deletedAt !== null);
  await sendAll(tasks, (task) => sendDeletedAt(task.id, null), "restore");
}

/**
 * Changes one task's text. Rejects with a RequestError where the server refuses: whoever typed keeps the text and tells.
 * Undoable.
 */
export async function saveTaskText(id: string, patch: Pick<TaskPatch, "title" | "description">): Promise<void> {
  const task = taskCollection.get(id);
  if (task === undefined || !isChange(patch, task)) return;
  await sendUpdate(task.id, patch);
  offerUndo(
    { id: newLocalId(), label: "Changed the text", undo: () => void updateTasks([task.id], inverseOf(patch, task)) },
    { isQuiet: true },
  );
}

async function sendUpdate(rowId: string, patch: TaskPatch): Promise<void> {
  const now = new Date().toISOString();
  await writeOptimistically({
    collection: taskCollection,
    rowId,
    apply: (task) => task && applyPatch(task, patch, now, (id) => projectCollection.get(id)),
    send: (id) => trpcClient.tasks.update.mutate({ id, ...patch }),
    confirm: (output) => output.data,
  });
}

async function sendDeletedAt(rowId: string, deletedAt: string | null): Promise<void> {
  await writeOptimistically({
    collection: taskCollection,
    rowId,
    apply: (task) => task && { ...task, deletedAt },
    send: (id) =>
      deletedAt === null ? trpcClient.tasks.restore.mutate({ id }) : trpcClient.tasks.delete.mutate({ id }),
    confirm: (output, shown) => shown && { ...shown, deletedAt: output.data.deletedAt },
  });
}

/** Sends one write for each task; tells of those that were refused, and offers to try them again. */
async function sendAll(
  tasks: readonly Task[],
  send: (task: Task) => Promise<void>,
  verb: string,
  action?: UndoableAction,
): Promise<void> {
  const results = await Promise.allSettled(tasks.map(send));
  const failed = tasks.filter((_, index) => results[index]?.status === "rejected");
  if (failed.length === 0) return;
  if (action !== undefined && failed.length === tasks.length) withdrawUndo(action);
  const reason = results.find((result) => result.status === "rejected")?.reason;
  tellFailure(`Could not ${verb} ${describeTasks(failed)}`, toRequestError(reason), action?.id, () => {
    if (action !== undefined) offerUndo(action, { isQuiet: true });
    void sendAll(failed, send, verb, action);
  });
}

function tellFailure(message: string, error: RequestError, id: string | undefined, retry: () => void): void {
  showToast({
    message,
    detail: error.message,
    tone: "danger",
    action: { label: "Try again", run: retry },
    ...(id !== undefined && { id }),
  });
}

function known(ids: readonly string[]): Task[] {
  return ids.map((id) => taskCollection.get(id)).filter((task) => task !== undefined);
}

/** The title, where there is one task only; it stands below the label, which must not be cut off by it. */
function titleOfOne(tasks: readonly Task[]): string | undefined {
  return tasks.length === 1 ? tasks[0]?.title : undefined;
}

/** "3 tasks ", and nothing for a single one, which is told by its title. */
function countMany(tasks: readonly Task[]): string {
  return tasks.length === 1 ? "" : `${countTasks(tasks.length)} `;
}

function describeTasks(tasks: readonly Task[]): string {
  const [first] = tasks;
  return tasks.length === 1 && first !== undefined ? `“${first.title}”` : countTasks(tasks.length);
}
