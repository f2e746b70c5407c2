import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import type { ShortcutId } from "../../shortcuts/shortcut-table.ts";
import { editField, type EditableField } from "./edit-field.ts";
import { deleteTasks, updateTasks } from "./task-actions.ts";
import { taskCollection } from "./task-collection.ts";
import { placeOfField } from "./task-element.ts";
import type { TaskStatus } from "./task.ts";
import type { TaskCursor } from "./use-task-cursor.ts";

/** The keyboard of a list of tasks: moving, selecting, and everything that is done to the task under the cursor. */
export function useTaskShortcuts({ cursorId, selectedIds, actions }: TaskCursor, { followsStatus = false } = {}): void {
  const targets = (): readonly string[] => {
    if (selectedIds.size > 0) return [...selectedIds];
    return cursorId === null ? [] : [cursorId];
  };
  const onCursor = (act: (id: string) => void) => () => {
    if (cursorId === null) return false;
    act(cursorId);
    return true;
  };
  const onTargets = (act: (ids: readonly string[]) => void) => () => {
    const ids = targets();
    if (ids.length === 0) return false;
    act(ids);
    return true;
  };

  useShortcut("next", () => actions.move(1));
  useShortcut("previous", () => actions.move(-1));
  useShortcut("extendDown", () => extend(actions, cursorId, 1));
  useShortcut("extendUp", () => extend(actions, cursorId, -1));
  useShortcut("select", onCursor(actions.toggle));
  useShortcut("selectAll", actions.selectAll);
  useShortcut("back", () => (selectedIds.size > 0 ? actions.clearSelection() : false));
  useShortcut("open", onCursor(actions.open));
  useShortcut("edit", onCursor(actions.startEdit));
  useShortcut(
    "delete",
    onTargets((ids) => removeTasks(ids, actions)),
  );
  useShortcut(
    "complete",
    onTargets((ids) => {
      const status = nextCompletion(ids);
      if (!followsStatus) actions.leave(ids);
      void updateTasks(ids, { status });
    }),
  );
  useFieldShortcut("status", "status", onTargets);
  useFieldShortcut("priority", "priority", onTargets);
  useFieldShortcut("due", "due", onTargets);
  useFieldShortcut("project", "project", onTargets);
  useFieldShortcut("tags", "tags", onTargets);
}

/** Deletes, with the cursor on the next row. */
export function removeTasks(ids: readonly string[], actions: TaskCursor["actions"]): void {
  actions.leave(ids);
  actions.clearSelection();
  void deleteTasks(ids);
}

/** Done, unless all of them are: then to do again. */
function nextCompletion(ids: readonly string[]): TaskStatus {
  return ids.every((id) => taskCollection.get(id)?.status === "done") ? "todo" : "done";
}

function extend(actions: TaskCursor["actions"], cursorId: string | null, step: number): void {
  if (cursorId === null) actions.move(step);
  else actions.extend(step);
}

function useFieldShortcut(
  shortcut: ShortcutId,
  field: EditableField,
  onTargets: (act: (ids: readonly string[]) => void) => () => boolean,
): void {
  useShortcut(
    shortcut,
    onTargets((ids) => {
      const place = placeOfField(ids, field);
      if (place !== null) editField(field, ids, place);
    }),
  );
}
