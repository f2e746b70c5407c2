import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { loadable } from "../../components/loadable.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { taskCollection } from "../tasks/task-collection.ts";
import { useCloseTask, useOpenTaskId } from "./task-panel-url.ts";

export const TaskPanel = loadable(async () => (await import("../tasks/task-side-panel.tsx")).TaskSidePanel);

/** Shows the open task: beside the page, floating above it if there is no room, or instead of it on a phone. */
export function TaskPanelSlot() {
  const taskId = useOpenTaskId();
  useServerIdInUrl(taskId);
  const close = useCloseTask();
  useShortcut("back", close, { isEnabled: taskId !== undefined });
  useFocusReturn(taskId);
  if (taskId === undefined) return null;
  return <TaskPanel taskId={taskId} onClose={close} />;
}

/**
 * A task opened while it is being created has a temporary id in the URL, which is replaced once the server has assigned one.
 */
function useServerIdInUrl(taskId: string | undefined): void {
  const client = useClient();
  const navigate = useNavigate();
  useCollection(taskCollection(client));
  const realId = taskId === undefined ? undefined : taskCollection(client).realId(taskId);
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

/** When the panel closes with the focus in it, the task's row on the page receives the focus. */
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
