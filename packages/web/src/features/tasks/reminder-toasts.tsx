import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Outputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { toasts } from "../../components/toast.ts";
import { formatDueDate } from "../../dates/date-format.ts";
import type { Day } from "../../dates/day.ts";
import { useToday } from "../../dates/use-now.ts";
import { useOpenTask } from "../shell/task-panel-url.ts";

type Reminder = Outputs["tasks"]["unseenReminders"]["data"][number];

function unseenRemindersQuery(client: Client) {
  return queryOptions({
    queryKey: ["tasks", "reminders", "unseen"],
    queryFn: async ({ signal }) => (await client.api.tasks.unseenReminders.query(undefined, { signal })).data,
  });
}

/** Shows reminders until somebody has seen them, on this page or on another. */
export function ReminderToasts() {
  const client = useClient();
  const openTask = useOpenTask();
  const today = useToday();
  const { data: unseen } = useQuery(unseenRemindersQuery(client));
  const shown = useRef(new Set<string>());
  useEffect(() => {
    if (unseen === undefined) return;
    const current = new Set(unseen.map(({ id }) => id));
    for (const id of shown.current) if (!current.has(id)) toasts(client).dismiss(toastIdOf(id));
    for (const reminder of unseen.filter(({ id }) => !shown.current.has(id))) {
      toasts(client).show({
        id: toastIdOf(reminder.id),
        message: `Reminder: ${reminder.task.title}`,
        detail: describe(reminder, today),
        stays: true,
        action: { label: "Open", run: () => openTask(reminder.task.id) },
        onDismiss: () => void client.api.tasks.seeReminders.mutate({ ids: [reminder.id] }).catch(() => undefined),
      });
    }
    shown.current = current;
  }, [client, unseen, openTask, today]);
  return null;
}

function toastIdOf(id: string): string {
  return `reminder-${id}`;
}

/** "Due today 9:00", or that it comes late. */
function describe({ task: { dueDate, dueTime }, at, isLate }: Reminder, today: Day): string {
  const due = dueDate === null ? null : `due ${withinSentence(formatDueDate(dueDate, today, dueTime))}`;
  if (!isLate) return due === null ? "" : due.charAt(0).toUpperCase() + due.slice(1);
  return `Late, for ${formatDueDate(at, today)}: the server was not running${due === null ? "" : ` · ${due}`}`;
}

function withinSentence(day: string): string {
  return day.replace(/^(?:Today|Tomorrow|Yesterday)\b/, (word) => word.toLowerCase());
}
