import type { Client } from "../../client/client.ts";
import { floating, type PopupAnchor } from "../../components/floating.ts";
import { RepeatPicker, type RepeatChooser } from "./repeat-picker.tsx";
import { skipTasks } from "./skip-tasks.ts";
import { SnoozePicker, type SnoozeChooser } from "./snooze-picker.tsx";
import { isSnoozed } from "./snooze.ts";
import { updateTasks } from "./task-actions.ts";
import { taskCollection } from "./task-collection.ts";

/** Opens the picker of how often tasks repeat, or until when they are snoozed. */
export function editTimes(
  client: Client,
  field: "repeat" | "snooze",
  ids: readonly string[],
  place: HTMLElement | PopupAnchor,
): void {
  const tasks = ids.map((id) => taskCollection(client).get(id)).filter((task) => task !== undefined);
  if (field === "snooze")
    return pickSnooze(client, place, {
      isSnoozed: tasks.some((task) => isSnoozed(task, Date.now())),
      onPick: (snoozedUntil) => void updateTasks(client, ids, { snoozedUntil }),
    });
  const origins = new Set(tasks.map((task) => task.repeatFrom));
  pickRepeat(client, place, {
    chosen: new Set(tasks.map((task) => task.repeat)),
    repeatFrom: origins.size === 1 ? (tasks[0]?.repeatFrom ?? null) : null,
    onPick: (patch) => void updateTasks(client, ids, patch),
    onSkip: () => void skipTasks(client, ids),
  });
}

export function pickRepeat(client: Client, place: HTMLElement | PopupAnchor, chooser: RepeatChooser): void {
  floating(client).openPopover(place, "Repeat", (close) => (
    <RepeatPicker
      {...chooser}
      onPick={(patch) => {
        close();
        chooser.onPick(patch);
      }}
      onSkip={() => {
        close();
        chooser.onSkip();
      }}
    />
  ));
}

export function pickSnooze(
  client: Client,
  place: HTMLElement | PopupAnchor,
  { isSnoozed, onPick }: SnoozeChooser,
): void {
  floating(client).openPopover(place, "Snooze until", (close) => (
    <SnoozePicker
      isSnoozed={isSnoozed}
      onPick={(until) => {
        close();
        onPick(until);
      }}
    />
  ));
}
