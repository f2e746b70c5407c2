import type { Moment } from "../icalendar/calendar-task.ts";
import { differingFields, type TodoField, type TodoFields } from "../icalendar/todo-fields.ts";
import type { UpdateTask } from "../tasks/task.schema.ts";

export type TodoPatch = Pick<
  UpdateTask,
  "title" | "description" | "status" | "priority" | "dueDate" | "dueTime" | "tags" | "repeat" | "repeatFrom"
>;

/** All that a component says of a task, but for its parent. */
export function toNewTask(fields: TodoFields): TodoPatch & { title: string } {
  return { ...toPatch(fields, ["description", "status", "priority", "due", "tags", "repeat"]), title: fields.title };
}

/** What a program has changed of what it was shown. What is no different stays, also if a component cannot say it exactly. */
export function patchOf(shown: TodoFields, sent: TodoFields): TodoPatch {
  return toPatch(sent, differingFields(shown, sent));
}

function toPatch(fields: TodoFields, names: readonly TodoField[]): TodoPatch {
  return Object.assign({}, ...names.map((name) => patchOfField(fields, name)));
}

function patchOfField(fields: TodoFields, name: TodoField): TodoPatch {
  switch (name) {
    case "title":
      return { title: fields.title };
    case "description":
      return { description: fields.description === "" ? null : fields.description };
    case "status":
      return { status: fields.status };
    case "priority":
      return { priority: fields.priority };
    case "due":
      return dueFields(fields.due);
    case "tags":
      return { tags: [...fields.tags] };
    case "parentUid":
      return {};
    case "repeat":
      return fields.repeat === null ? { repeat: null } : { repeat: fields.repeat, repeatFrom: "due" };
  }
}

function dueFields(due: Moment | null): TodoPatch {
  if (due === null) return { dueDate: null, dueTime: null };
  switch (due.kind) {
    case "day":
      return { dueDate: due.date, dueTime: null };
    case "time":
      return { dueDate: due.date, dueTime: due.time };
    case "instant":
      return { dueDate: due.at, dueTime: null };
  }
}
