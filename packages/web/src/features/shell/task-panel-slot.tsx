import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { loadable } from "../../components/loadable.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { taskCollection } from "../tasks/task-collection.ts";
import { useCloseTask, useOpenTaskId } from "./panel-address.ts";
import { SidePanel } from "./side-panel.tsx";

export const TaskPanel = loadable(async () => (await import("../tasks/task-panel.tsx")).default);

/** Where the open task is shown: beside the page, above it where there is no room, instead of it on a phone. */
export function TaskPanelSlot() {
  const taskId = useOpenTaskId();
  useRealAddress(taskId);
  const close = useCloseTask();
  useShortcut("back", close, { isEnabled: taskId !== undefined });
  useFocusReturn(taskId);
  if (taskId === undefined) return null;
  return (
    <SidePanel label="Task">
      <TaskPanel key={taskCollection.keyOf(taskId)} taskId={taskId} onClose={close} />
    </SidePanel>
  );
}

/** A task opened in the moment of its making is in the address under a passing id; that is put right when it has its own. */
function useRealAddress(taskId: string | undefined): void {
  const navigate = useNavigate();
  useCollection(taskCollection);
  const realId = taskId === undefined ? undefined : taskCollection.realId(taskId);
  useEffect(() => {
    if (realId === undefined || realId === taskId) return;
    void navigate({
      to: ".",
      search: (search) => ({ ...search, task: realId }),
      replace: true,
      state: (state) => state,
    });
  }, [taskId, realId, navigate]);
}

/** When the panel closes with the focus in it, the task's row in the page gets it back. */
function useFocusReturn(taskId: string | undefined): void {
  const lastId = useRef<string>(undefined);
  useEffect(() => {
    const closedId = taskId === undefined ? lastId.current : undefined;
    lastId.current = taskId;
    if (closedId === undefined || document.activeElement !== document.body) return;
    document
      .querySelector<HTMLElement>(`#page [data-task-id="${CSS.escape(closedId)}"]`)
      ?.focus({ preventScroll: true });
  }, [taskId]);
}
