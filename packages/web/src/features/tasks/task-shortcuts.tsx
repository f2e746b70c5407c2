import type { TaskCursor } from "./use-task-cursor.ts";
import { useTaskShortcuts } from "./use-task-shortcuts.ts";

interface TaskShortcutsProps {
  readonly cursor: TaskCursor;
  /** Whether tasks move with their status, as on the board. */
  readonly followsStatus?: boolean;
}

/** The shortcuts in a list of tasks, as a component, so that their code is loaded after the list is shown. */
export default function TaskShortcuts({ cursor, followsStatus = false }: TaskShortcutsProps) {
  useTaskShortcuts(cursor, { followsStatus });
  return null;
}
