import type { Place } from "../../components/anchored.ts";
import { taskCollection } from "./task-collection.ts";
import { updateTasks } from "./task-actions.ts";
import { pickDueDate, pickPriority, pickProject, pickStatus, pickTags } from "./task-pickers.tsx";
import { priorityOf, type Task } from "./task.ts";

export type EditableField = "status" | "priority" | "project" | "due" | "tags";

/** Opens the picker of one field for one or several tasks, and changes them all to what is picked. */
export function editField(field: EditableField, ids: readonly string[], place: HTMLElement | Place): void {
  const tasks = ids.map((id) => taskCollection.get(id)).filter((task) => task !== undefined);
  const chosenBy = <Value>(valueOf: (task: Task) => Value) => new Set(tasks.map(valueOf));
  switch (field) {
    case "status":
      return pickStatus(place, {
        chosen: chosenBy((task) => task.status),
        onPick: (status) => void updateTasks(ids, { status }),
      });
    case "priority":
      return pickPriority(place, {
        chosen: chosenBy(priorityOf),
        onPick: (priority) => void updateTasks(ids, { priority }),
      });
    case "project":
      return pickProject(place, {
        chosen: chosenBy((task) => task.projectId),
        onPick: (projectId) => void updateTasks(ids, { projectId }),
      });
    case "due":
      return pickDueDate(place, {
        chosen: chosenBy((task) => task.dueDate),
        onPick: (dueDate) => void updateTasks(ids, { dueDate }),
      });
    case "tags":
      return pickTags(
        place,
        commonTags(tasks),
        (tag, isOn) => void updateTasks(ids, (task) => ({ tags: withTag(task.tags, tag, isOn) })),
      );
  }
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
