import type { PoolClient } from "@workspace/db";
import { InvalidInputError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { selectDependents } from "./task-dependencies.queries.ts";
import { MAX_LEVELS, MAX_TREE, selectParent, selectTreeSize } from "./task-tree.queries.ts";

/**
 * The project of the task that is to have this one as a subtask. The dependencies must be locked. Throws {@link InvalidInputError} if
 * that is no active task, is below the task, waits for it or is waited for by it, or if the tree became too deep or too large.
 */
export async function requireParent(
  client: PoolClient,
  { id, parentId }: { readonly id: string; readonly parentId: string },
): Promise<{ readonly projectId: string | null }> {
  const parent = isUuid(parentId) ? await selectParent(client, parentId) : null;
  if (parent === null || parent.deletedAt !== null) throw refused("expected the id of an active task");
  const afterBeginning = await selectDependents(client, id, "begin");
  if (parentId === id || afterBeginning.begin.has(parentId))
    throw refused("is the task itself, one of its subtasks, or waits for it");
  const afterParent = await selectDependents(client, parentId, "end");
  if (afterParent.end.has(id)) throw refused("cannot end before its subtask, which waits for it");
  const { levelsAbove, levelsBelow, tasksBelow, tasksInTree } = await selectTreeSize(client, { parentId, id });
  if (levelsAbove + levelsBelow > MAX_LEVELS) throw refused(`makes more than ${MAX_LEVELS} levels`);
  if (tasksInTree + tasksBelow - 1 > MAX_TREE) throw refused(`makes more than ${MAX_TREE} subtasks of one task`);
  return parent;
}

function refused(why: string): InvalidInputError {
  return InvalidInputError.at("parentId", why);
}
