import type { Client } from "../../client/client.ts";
import type { PopupAnchor } from "../../components/floating.ts";
import type { EditableField } from "./edit-field.ts";
import { editTimes } from "./edit-times.tsx";
import { taskCollection } from "./task-collection.ts";
import { updateTasks } from "./task-actions.ts";
import { pickDueDate, pickPriority, pickProject, pickStatus, pickTags } from "./task-pickers.tsx";
import { priorityOf, type Task } from "./task.ts";

/** Opens the picker of one field for one or more tasks, and applies the choice to all of them. */
export function openField(
  client: Client,
  field: EditableField,
  ids: readonly string[],
  place: HTMLElement | PopupAnchor,
): void {
  const tasks = ids.map((id) => taskCollection(client).get(id)).filter((task) => task !== undefined);
  const chosenBy = <Value>(valueOf: (task: Task) => Value) => new Set(tasks.map(valueOf));
  switch (field) {
    case "status":
      return pickStatus(client, place, {
        chosen: chosenBy((task) => task.status),
        onPick: (status) => void updateTasks(client, ids, { status }),
      });
    case "priority":
      return pickPriority(client, place, {
        chosen: chosenBy(priorityOf),
        onPick: (priority) => void updateTasks(client, ids, { priority }),
      });
    case "project":
      return pickProject(client, place, {
        chosen: chosenBy((task) => task.projectId),
        onPick: (projectId) => void updateTasks(client, ids, { projectId }),
      });
    case "due":
      return pickDueDate(client, place, {
        chosen: chosenBy((task) => task.dueDate),
        time: commonTime(tasks),
        onPick: (due) => void updateTasks(client, ids, { ...due }),
      });
    case "repeat":
    case "snooze":
      return editTimes(client, field, ids, place);
    case "tags":
      return pickTags(
        client,
        place,
        commonTags(tasks),
        (tag, isOn) => void updateTasks(client, ids, (task) => ({ tags: withTag(task.tags, tag, isOn) })),
      );
  }
}

function commonTime([first, ...rest]: readonly Task[]): string | null {
  const time = first?.dueTime ?? null;
  return rest.every((task) => task.dueTime === time) ? time : null;
}

function commonTags(tasks: readonly Task[]): ReadonlySet<string> {
  const [first, ...rest] = tasks;
  return new Set((first?.tags ?? []).filter((tag) => rest.every((task) => task.tags.includes(tag))));
}

function withTag(tags: readonly string[], tag: string, isOn: boolean): string[] {
  const others = tags.filter((other) => other !== tag);
  if (!isOn) return others;
  return tags.includes(tag) ? [...tags] : [...others, tag];
}
