import type { Client } from "../../client/client.ts";
import { todayOf, toPlainDate } from "../../dates/day.ts";
import { useClient } from "../../client/use-client.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import type { ShortcutId } from "../../shortcuts/shortcut-keys.ts";
import { editField, type EditableField } from "./edit-field.ts";
import { changeTasks } from "./load-task-actions.ts";
import { taskCollection } from "./task-collection.ts";
import { fieldAnchor } from "./task-element.ts";
import type { TaskStatus } from "./task.ts";
import type { TaskCursor } from "./use-task-cursor.ts";

/** The shortcuts in a list of tasks: moving, selecting, and all actions on the task under the cursor. */
export function useTaskShortcuts({ cursorId, selectedIds, actions }: TaskCursor, { followsStatus = false } = {}): void {
  const client = useClient();
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
    onTargets((ids) => removeTasks(client, ids, actions)),
  );
  useShortcut(
    "complete",
    onTargets((ids) => completeTasks(client, ids, actions, { followsStatus })),
  );
  useShortcut(
    "dueTomorrow",
    onTargets((ids) => {
      const dueDate = toPlainDate(todayOf(new Date()) + 1);
      changeTasks(client, ({ updateTasks }) => updateTasks(client, ids, { dueDate }));
    }),
  );
  useShortcut(
    "dueNextWeek",
    onTargets((ids) => changeTasks(client, ({ moveToNextWeek }) => moveToNextWeek(client, ids))),
  );
  useFieldShortcut("status", "status", onTargets);
  useFieldShortcut("priority", "priority", onTargets);
  useFieldShortcut("due", "due", onTargets);
  useFieldShortcut("project", "project", onTargets);
  useFieldShortcut("tags", "tags", onTargets);
  useFieldShortcut("repeat", "repeat", onTargets);
  useFieldShortcut("snooze", "snooze", onTargets);
}

/** Deletes tasks and moves the cursor to the next row. */
export function removeTasks(client: Client, ids: readonly string[], actions: TaskCursor["actions"]): void {
  actions.leave(ids);
  actions.clearSelection();
  changeTasks(client, ({ deleteTasks }) => deleteTasks(client, ids));
}

/** Marks tasks as done, or to do if they all are. The cursor moves to the next row, unless it follows the tasks. */
export function completeTasks(
  client: Client,
  ids: readonly string[],
  actions: TaskCursor["actions"],
  { followsStatus }: { readonly followsStatus: boolean },
): void {
  const status = nextCompletion(client, ids);
  if (!followsStatus) actions.leave(ids);
  changeTasks(client, ({ updateTasks }) => updateTasks(client, ids, { status }));
}

/** What completing tasks makes of them: done, or to do if all of them are done already. */
export function nextCompletion(client: Client, ids: readonly string[]): TaskStatus {
  return ids.every((id) => taskCollection(client).get(id)?.status === "done") ? "todo" : "done";
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
  const client = useClient();
  useShortcut(
    shortcut,
    onTargets((ids) => {
      const anchor = fieldAnchor(ids, field);
      if (anchor !== null) editField(client, field, ids, anchor);
    }),
  );
}
