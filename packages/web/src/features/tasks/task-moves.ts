import { generateKeyBetween } from "fractional-indexing";
import { newLocalId } from "../../api/local-id.ts";
import { writeOptimistically } from "../../api/optimistic-write.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { toasts } from "../../components/toast.ts";
import { undoStack } from "../../undo/undo-stack.ts";
import { projectCollection } from "../projects/project-collection.ts";
import { toServer } from "../outbox/kept-change.ts";
import { keptBy } from "./task-actions.ts";
import { taskCollection } from "./task-collection.ts";
import { compareManually } from "./task-order.ts";
import { applyPatch } from "./task-patch.ts";
import type { Task, TaskPatch, TaskStatus } from "./task.ts";

/** Where a task moves: beside another one, perhaps to another parent or status. */
export interface TaskPlace {
  readonly afterId?: string | undefined;
  readonly beforeId?: string | undefined;
  readonly parentId?: string | null;
  readonly status?: TaskStatus;
}

/** Moves a task in the manual order, optimistically; a refusal is rolled back and shown. Undoable. */
export async function moveTask(client: Client, id: string, place: TaskPlace): Promise<void> {
  const task = taskCollection(client).get(id);
  if (task === undefined || place.afterId === id || place.beforeId === id) return;
  const back = formerPlace(client, task, place);
  const action = {
    id: newLocalId(),
    label: "Moved a task",
    detail: task.title,
    undo: () => void sendMove(client, id, back),
  };
  undoStack(client).offer(action, { isQuiet: true });
  if (!(await sendMove(client, id, place))) undoStack(client).withdraw(action);
}

/** Moves a task one place up or down among its siblings of the same group. */
export function moveAmong(client: Client, siblings: readonly Task[], id: string, step: 1 | -1): void {
  const index = siblings.findIndex((task) => task.id === id);
  const neighbour = siblings[index + step];
  if (index === -1 || neighbour === undefined) return;
  void moveTask(client, id, step === 1 ? { afterId: neighbour.id } : { beforeId: neighbour.id });
}

async function sendMove(client: Client, id: string, place: TaskPlace): Promise<boolean> {
  const collection = taskCollection(client);
  const { afterId, beforeId, ...fields } = place;
  const neighbours = {
    ...(afterId !== undefined && { afterId: collection.realId(afterId) }),
    ...(beforeId !== undefined && { beforeId: collection.realId(beforeId) }),
  };
  const position = positionFor(client, id, place);
  try {
    await writeOptimistically({
      collection,
      rowId: id,
      outbox: keptBy(client, id, { kind: "move", place, shown: { ...fields, ...(position !== null && { position }) } }),
      apply: (task) =>
        task && {
          ...applyPatch(
            task,
            { ...fields, ...projectOf(client, task, fields.parentId) },
            new Date().toISOString(),
            (projectId) => projectCollection(client).get(projectId),
          ),
          ...(position !== null && { position }),
        },
      send: (realId) => client.api.tasks.move.mutate({ ...toServer({ ...fields, ...neighbours }), id: realId }),
      confirm: (output) => output.data,
    });
    return true;
  } catch (error) {
    toasts(client).show({ message: "Could not move the task", detail: toRequestError(error).message, tone: "danger" });
    return false;
  }
}

/** What becomes a subtask moves to the project of its parent. */
function projectOf(client: Client, task: Task, parentId: string | null | undefined): TaskPatch {
  if (parentId === undefined || parentId === null || parentId === task.parentId) return {};
  const parent = taskCollection(client).get(parentId);
  return parent === undefined ? {} : { projectId: parent.projectId };
}

/** The position that the server is expected to give it; null if it has to make room first. */
function positionFor(client: Client, id: string, { afterId, beforeId }: TaskPlace): string | null {
  const order = inOrder(client, id);
  const index = order.findIndex((task) => task.id === (afterId ?? beforeId));
  if (index === -1) return null;
  const [before, after] = afterId === undefined ? [order[index - 1], order[index]] : [order[index], order[index + 1]];
  if (before !== undefined && after !== undefined && before.position >= after.position) return null;
  return generateKeyBetween(before?.position ?? null, after?.position ?? null);
}

/** Where a task is now, to move it back there. */
function formerPlace(client: Client, task: Task, { parentId, status }: TaskPlace): TaskPlace {
  const order = [...taskCollection(client).getSnapshot().values()].toSorted(compareManually);
  const index = order.findIndex(({ id }) => id === task.id);
  const isActive = ({ deletedAt }: Task) => deletedAt === null;
  const before = order.slice(0, index).findLast(isActive);
  const after = order.slice(index + 1).find(isActive);
  return {
    ...(before === undefined ? { beforeId: after?.id } : { afterId: before.id }),
    ...(parentId !== undefined && { parentId: task.parentId }),
    ...(status !== undefined && { status: task.status }),
  };
}

function inOrder(client: Client, except: string): Task[] {
  return [...taskCollection(client).getSnapshot().values()].filter(({ id }) => id !== except).toSorted(compareManually);
}
