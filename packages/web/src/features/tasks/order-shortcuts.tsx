import { useClient } from "../../client/use-client.ts";
import { toasts } from "../../components/toast.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { taskCollection } from "./task-collection.ts";
import type { ListItem } from "./task-list-items.ts";
import { moveAmong, moveTask, type TaskPlace } from "./task-moves.ts";
import type { TaskGroup, TaskOrder } from "./task-order.ts";
import type { TaskView } from "./task-search.ts";
import type { Task } from "./task.ts";
import type { TaskCursor } from "./use-task-cursor.ts";

interface OrderShortcutsProps extends Shown {
  readonly cursor: TaskCursor;
}

interface Shown {
  readonly items: readonly ListItem[];
  readonly groups: readonly TaskGroup[];
  readonly view: TaskView;
  readonly order: TaskOrder;
  readonly fold: (id: string, isFolded: boolean) => void;
}

type TaskItem = Extract<ListItem, { kind: "task" }>;

/** The shortcuts that change the order of tasks, what is a subtask of what, and which subtasks are shown. */
export default function OrderShortcuts({ cursor: { cursorId, actions }, ...shown }: OrderShortcutsProps) {
  const client = useClient();
  const rows = shown.items.filter((item) => item.kind === "task");
  const index = rows.findIndex(({ task }) => task.id === cursorId);
  const row = rows[index];
  const inList = (act: (item: TaskItem) => void) => () => {
    if (shown.view !== "list" || row === undefined) return false;
    act(row);
    return true;
  };
  const moveBy = (step: 1 | -1) => () => {
    const task = cursorId === null ? undefined : taskCollection(client).get(cursorId);
    if (task === undefined) return false;
    const siblings = siblingsOf(task, row, rows, shown);
    if (siblings === undefined) toasts(client).show({ message: "Choose the order “Manual” to move tasks" });
    else moveAmong(client, siblings, task.id, step);
    return true;
  };
  const moveTo = (id: string, place: TaskPlace) => {
    void moveTask(client, id, place);
    actions.moveTo(id);
  };

  useShortcut("moveUp", moveBy(-1));
  useShortcut("moveDown", moveBy(1));
  useShortcut(
    "indent",
    inList(({ task, depth }) => {
      const above = rows.slice(0, index).findLast((other) => other.depth <= depth);
      if (above?.depth !== depth || above.status !== row?.status) return;
      const last = rows.slice(0, index).findLast((other) => other.task.parentId === above.task.id);
      shown.fold(above.task.id, false);
      moveTo(task.id, { parentId: above.task.id, afterId: last?.task.id ?? above.task.id });
    }),
  );
  useShortcut(
    "outdent",
    inList(({ task }) => {
      const parent = task.parentId === null ? undefined : taskCollection(client).get(task.parentId);
      if (parent !== undefined) moveTo(task.id, { parentId: parent.parentId, afterId: parent.id });
    }),
  );
  useShortcut(
    "unfold",
    inList(({ task, isFolded }) => {
      if (isFolded === true) shown.fold(task.id, false);
    }),
  );
  useShortcut(
    "fold",
    inList(({ task, depth, isFolded }) => {
      if (isFolded === false) shown.fold(task.id, true);
      else if (depth > 0 && task.parentId !== null) actions.moveTo(task.parentId);
    }),
  );
  return null;
}

/** The tasks among which one can be moved; undefined if another order than the manual one is shown. */
function siblingsOf(
  task: Task,
  row: TaskItem | undefined,
  rows: readonly TaskItem[],
  { view, order, groups }: Shown,
): readonly Task[] | undefined {
  if (view === "list" && row !== undefined && row.depth > 0)
    return rows.flatMap((other) => (other.task.parentId === task.parentId ? [other.task] : []));
  if (order !== "manual") return undefined;
  if (view === "board") return groups.find(({ status }) => status === task.status)?.tasks;
  return rows.flatMap((other) => (other.depth === 0 && other.status === row?.status ? [other.task] : []));
}
