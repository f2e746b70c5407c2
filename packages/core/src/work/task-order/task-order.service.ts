import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { lockTaskDependencies } from "../tasks/task-dependencies.queries.ts";
import { updateWithin, type ChangedTask } from "../tasks/task-update.ts";
import { selectTask } from "../tasks/task.queries.ts";
import type { Task } from "../tasks/task.schema.ts";
import {
  selectPlace,
  selectPlacesAfter,
  selectPlacesBefore,
  updatePositions,
  type TaskPlace,
} from "./task-order.queries.ts";
import type { MoveTask } from "./task-order.schema.ts";
import { positionBetween, positionsBetween } from "./task-position.ts";

/** How many tasks on each side are spread at first if there is no room between two. */
const SPREAD = 25;
/** Each task is announced, so that pages read only these; of more, that there are some. */
const MAX_ANNOUNCED = 20;

export interface TaskOrderServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** The server's. */
  readonly timeZone: string;
}

export type TaskOrderService = ReturnType<typeof createTaskOrderService>;

/** The manual order: one for all tasks, of which every view shows a part. */
export function createTaskOrderService({ db, clock, ids, events, timeZone }: TaskOrderServiceDeps) {
  const publish = (action: "create" | "edit" | "delete", changed: readonly ChangedTask[]) => {
    const announced = new Map(changed.map((task) => [task.id, task]));
    if (announced.size > MAX_ANNOUNCED)
      events.publish({ resource: "task", action, resourceId: "*", resourceName: null });
    else
      announced.forEach(({ id, title }) =>
        events.publish({ resource: "task", action, resourceId: id, resourceName: title }),
      );
  };

  return {
    /**
     * Moves a task right after or before another one, perhaps under a parent or to a status, at once. Moves are made one at a time, so
     * that everybody sees the same order. Throws {@link NotFoundError}, {@link InvalidInputError} for a neighbour that is not active, and
     * what changing the task throws.
     */
    async move({ id, afterId, beforeId, parentId, status }: MoveTask, author: Author): Promise<Task> {
      const { task, changed, created, removed } = await transaction(db.pool, async (client) => {
        await lockTaskDependencies(client);
        const update = {
          id,
          ...(parentId !== undefined && { parentId }),
          ...(status !== undefined && { status }),
        };
        const updated = await updateWithin(client, update, { author, now: clock.now(), timeZone, ids });
        const neighbour = await requireNeighbour(client, id, afterId ?? beforeId ?? "");
        const moved = await placeBeside(client, id, neighbour, afterId === undefined ? "before" : "after");
        const stored = await selectTask(client, id);
        if (stored === null) throw new NotFoundError("There is no such task.");
        return { ...updated, task: stored, changed: [...updated.changed, stored, ...moved] };
      });
      publish("edit", changed);
      publish("create", created);
      publish("delete", removed);
      return task;
    },
  };
}

async function requireNeighbour(client: PoolClient, id: string, neighbourId: string): Promise<TaskPlace> {
  const neighbour = isUuid(neighbourId) && neighbourId !== id ? await selectPlace(client, neighbourId) : null;
  if (neighbour === null)
    throw new InvalidInputError("A task can only be moved after or before another task that is not deleted.");
  return neighbour;
}

/** Gives a task a position beside its neighbour; if there is no room, after spreading those around. Returns what was spread. */
async function placeBeside(
  client: PoolClient,
  id: string,
  neighbour: TaskPlace,
  side: "after" | "before",
): Promise<TaskPlace[]> {
  const look = { of: neighbour, except: id };
  for (let spread = 0; ; spread = spread === 0 ? SPREAD : spread * 4) {
    const following = await selectPlacesAfter(client, { ...look, limit: spread + 1 });
    const preceding = await selectPlacesBefore(client, { ...look, limit: spread + 1 });
    // What lies beyond the tasks that are spread is where they have to fit in.
    const upper = following.length > spread ? (following.pop() ?? null) : null;
    const lower = preceding.length > spread ? (preceding.pop() ?? null) : null;
    if (spread === 0) {
      const [from, to] = side === "after" ? [neighbour, upper] : [lower, neighbour];
      const position = positionBetween(from?.position ?? null, to?.position ?? null);
      if (position === null) continue;
      await updatePositions(client, [{ id, position }]);
      return [];
    }
    const spreadOut = [...preceding.toReversed(), neighbour, ...following];
    const order = spreadOut.map((task) => task.id);
    order.splice(order.indexOf(neighbour.id) + (side === "after" ? 1 : 0), 0, id);
    const positions = positionsBetween(lower?.position ?? null, upper?.position ?? null, order.length);
    if (positions === null) continue;
    await updatePositions(
      client,
      order.map((taskId, index) => ({ id: taskId, position: positions[index] ?? "" })),
    );
    return spreadOut;
  }
}
