import { queryOptions, useQuery } from "@tanstack/react-query";
import { Bell, BellPlus, X } from "lucide-react";
import type { Inputs, Outputs } from "../../api/api.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { floating } from "../../components/floating.ts";
import { OptionList } from "../../components/option-list.tsx";
import { toasts } from "../../components/toast.ts";
import { formatDueDate } from "../../dates/date-format.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import { useToday } from "../../dates/use-now.ts";
import { snoozeEnd } from "./snooze-times.ts";
import { useTaskReader } from "./task-reader.ts";
import type { Task } from "./task.ts";

type Reminder = Outputs["tasks"]["reminders"]["data"][number];
type NewReminder = Pick<Inputs["tasks"]["remind"], "minutesBefore" | "at">;

const DAY = 24 * 60;
const OFFSETS = [0, 10, 30, 60, 120, DAY, 2 * DAY, 7 * DAY];

function remindersQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ["tasks", "reminders", id],
    queryFn: async ({ signal }) => (await client.api.tasks.reminders.query({ id }, { signal })).data,
  });
}

/** The person's reminders of a task, which can be added and removed. */
export default function TaskReminders({ task }: { readonly task: Task }) {
  const client = useClient();
  const today = useToday();
  const query = remindersQuery(client, task.id);
  const { data } = useQuery(query);
  if (data === undefined) return null;
  const change = (changed: Promise<{ data: Reminder[] }>) =>
    void changed.then(
      (output) => client.queries.setQueryData(query.queryKey, output.data),
      (error: unknown) => toasts(client).show({ message: toRequestError(error).message, tone: "danger" }),
    );
  const add = (reminder: NewReminder) =>
    change(client.api.tasks.remind.mutate({ id: task.id, timezone: localTimeZone(), ...reminder }));
  return (
    <section aria-label="Reminders" className="flex flex-col gap-1 text-13">
      {data.filter(isShown).map((reminder) => (
        <div key={reminder.id} className="flex min-h-8 items-center gap-2">
          <Bell aria-hidden size={14} className="shrink-0 text-muted" />
          <span className="min-w-0 flex-1 text-strong">{describe(reminder, today)}</span>
          <IconButton
            size="small"
            label={`Remove the reminder ${describe(reminder, today)}`}
            icon={<X size={14} />}
            onClick={() => change(client.api.tasks.removeReminder.mutate({ id: task.id, reminderId: reminder.id }))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          tone="ghost"
          className="-ml-2"
          aria-haspopup="dialog"
          icon={<BellPlus aria-hidden size={14} />}
          onClick={(event) =>
            floating(client).openPopover(event.currentTarget, "Remind me", (close) => (
              <ReminderPicker
                hasDueDate={task.dueDate !== null}
                onPick={(reminder) => {
                  close();
                  add(reminder);
                }}
              />
            ))
          }
        >
          Remind me
        </Button>
      </div>
    </section>
  );
}

function ReminderPicker({ hasDueDate, onPick }: { hasDueDate: boolean; onPick: (reminder: NewReminder) => void }) {
  const client = useClient();
  const reader = useTaskReader();
  const today = useToday();
  const read = (text: string) => {
    const due = reader?.readDue(client, text) ?? null;
    const at = due === null ? null : snoozeEnd(due.dueDate, due.dueTime);
    return at !== null && at > new Date() ? at.toISOString() : null;
  };
  const icon = <Bell size={16} className="text-muted" />;
  return (
    <OptionList<number>
      label="Remind me tomorrow 9am"
      options={hasDueDate ? OFFSETS.map((value) => ({ value, label: describeOffset(value), icon })) : []}
      chosen={new Set()}
      onPick={(minutesBefore) => onPick({ minutesBefore })}
      onCreate={(text) => {
        const at = read(text);
        if (at !== null) onPick({ at });
      }}
      createLabel={(text) => {
        const at = read(text);
        return at === null ? "Not a time to come that can be read" : formatDueDate(at, today);
      }}
    />
  );
}

/** A default one whose time had passed when the task got its date is of no interest. */
function isShown({ isDefault, at }: Reminder): boolean {
  return !isDefault || at !== null;
}

/** "1 hour before · Tomorrow 8:00" */
function describe({ minutesBefore, at, deliveredAt, isDefault }: Reminder, today: number): string {
  const time = at === null ? "has passed" : formatDueDate(at, today);
  const before = isDefault ? "Default" : minutesBefore === null ? null : describeOffset(minutesBefore);
  const what = before === null ? time : `${before} · ${time}`;
  return deliveredAt === null ? what : `${what} · delivered`;
}

function describeOffset(minutes: number): string {
  if (minutes === 0) return "When it is due";
  const units = [
    [7 * DAY, "week"],
    [DAY, "day"],
    [60, "hour"],
    [1, "minute"],
  ] as const;
  const [size, unit] = units.find(([length]) => minutes % length === 0) ?? [1, "minute"];
  const count = minutes / size;
  return `${count} ${unit}${count === 1 ? "" : "s"} before`;
}
