import { useListCursor, type ListCursor, type ListCursorActions } from "../../lists/use-list-cursor.ts";
import { useOpenTask, useOpenTaskId } from "../shell/panel-address.ts";
import { taskCollection } from "./task-collection.ts";

export type TaskCursor = ListCursor;
export type TaskCursorActions = ListCursorActions;

/** The keyboard's place in a list of tasks, and the selection. `ids` are the tasks in sight, in the order of the list. */
export function useTaskCursor(ids: readonly string[]): TaskCursor {
  const open = useOpenTask();
  const isPanelOpen = useOpenTaskId() !== undefined;
  return useListCursor(ids, { open, isPanelOpen, realId });
}

/** A task that was made a moment ago goes by another id since; the cursor stays on it. */
function realId(id: string): string {
  return taskCollection.realId(id);
}
