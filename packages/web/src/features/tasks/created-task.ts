import { useEffect, useState } from "react";
import { toasts } from "../../components/toast.ts";
import { clientPart } from "../../client/client-part.ts";
import { Listeners } from "../../client/listeners.ts";
import { useClient } from "../../client/use-client.ts";
import { useOpenTask } from "../shell/task-panel-url.ts";
import type { TaskGroup } from "./task-order.ts";
import { STATUS_LABELS, type Task } from "./task.ts";

/** Tasks that are created here, each as soon as it is shown. */
export const createdTasks = clientPart(() => new Listeners<Task>());

/**
 * The task that was created last, to be scrolled to and highlighted. If it is not among the visible ones, says where it went
 * instead. `groups` are the tasks that match the filter.
 */
export function useCreatedTask(visibleIds: readonly string[], groups: readonly TaskGroup[]): Task | null {
  const client = useClient();
  const open = useOpenTask();
  const [created, setCreated] = useState<Task | null>(null);
  useEffect(() => createdTasks(client).add(setCreated), [client]);
  useEffect(() => {
    if (created === null || visibleIds.includes(created.id)) return;
    const isCollapsed = groups.some(({ tasks }) => tasks.some(({ id }) => id === created.id));
    toasts(client).show({
      message: `Created “${created.title}”`,
      detail: isCollapsed
        ? `It is in “${STATUS_LABELS[created.status]}”, which is collapsed.`
        : "It is not shown, because it does not match the filter.",
      action: { label: "Open", run: () => open(created.id) },
    });
    // Only the moment of its creation counts: later it may be completed, moved or filtered.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [created]);
  return created;
}
