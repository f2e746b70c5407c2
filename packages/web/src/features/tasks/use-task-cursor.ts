import { useClient } from "../../client/use-client.ts";
import { useListCursor, type ListCursor, type ListCursorActions } from "../../lists/use-list-cursor.ts";
import { useOpenTask, useOpenTaskId } from "../shell/task-panel-url.ts";
import { taskCollection } from "./task-collection.ts";

export type TaskCursor = ListCursor;
export type TaskCursorActions = ListCursorActions;

/** The keyboard cursor in a list of tasks, and the selection. `ids` are the visible tasks, in the order of the list. */
export function useTaskCursor(ids: readonly string[]): TaskCursor {
  const client = useClient();
  const open = useOpenTask();
  const isPanelOpen = useOpenTaskId() !== undefined;
  // A task that was just created has received a new id; the cursor stays on it.
  return useListCursor(ids, { open, isPanelOpen, realId: taskCollection(client).realId });
}
