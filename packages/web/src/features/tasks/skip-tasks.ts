import { newLocalId } from "../../api/local-id.ts";
import { writeOptimistically } from "../../api/optimistic-write.ts";
import type { Client } from "../../client/client.ts";
import { undoStack, type UndoableAction } from "../../undo/undo-stack.ts";
import { countMany, loadedTasks, sendAll, sendUpdate, titleOfOne } from "./task-actions.ts";
import { taskCollection } from "./task-collection.ts";
import type { Task } from "./task.ts";

/** Moves repeating tasks to their next dates. Undoable. */
export async function skipTasks(client: Client, ids: readonly string[]): Promise<void> {
  const tasks = loadedTasks(client, ids).filter((task) => task.repeat !== null && task.status !== "done");
  if (tasks.length === 0) return;
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Skipped ${countMany(tasks)}to the next date`,
    detail: titleOfOne(tasks),
    undo: () => {
      const before = (task: Task) => ({ dueDate: task.dueDate, dueTime: task.dueTime, repeat: task.repeat });
      void sendAll(client, tasks, (task) => sendUpdate(client, task.id, before(task)), "undo the skipping of");
    },
  };
  undoStack(client).offer(action, { isQuiet: false });
  await sendAll(client, tasks, (task) => sendSkip(client, task.id), "skip", action);
}

async function sendSkip(client: Client, rowId: string): Promise<void> {
  await writeOptimistically({
    collection: taskCollection(client),
    rowId,
    // Which date is next is known to the server.
    apply: (task) => task,
    send: (id) => client.api.tasks.skip.mutate({ id }),
    confirm: (output) => output.data,
  });
}
