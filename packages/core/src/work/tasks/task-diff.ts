import { isDeepStrictEqual } from "node:util";
import type { ChangeMark, NewTaskChange } from "./task-change.ts";
import type { StoredTask, TaskValues } from "./task.queries.ts";

type OwnField = Exclude<keyof TaskValues, "id" | "completedAt" | "modifiedAt" | "searchText" | "nextId">;
const IS_OWN_FIELD: Readonly<Record<OwnField, true>> = {
  title: true,
  description: true,
  status: true,
  priority: true,
  projectId: true,
  dueDate: true,
  dueTime: true,
  tags: true,
  parentId: true,
  repeat: true,
  repeatFrom: true,
  repeatTimezone: true,
  snoozedUntil: true,
  assignee: true,
};
const isOwnField = (name: string): name is OwnField => Object.hasOwn(IS_OWN_FIELD, name);
const OWN_FIELDS = Object.keys(IS_OWN_FIELD).filter(isOwnField);

const MAX_BEGINNING = 500;

/** What is recorded of an update: the fields that differ; null if none does. */
export function changeOf(mark: ChangeMark, before: StoredTask, after: TaskValues): NewTaskChange | null {
  const fields = OWN_FIELDS.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  const [only] = fields;
  if (only === undefined) return null;
  const changes = fields.map((field) =>
    field === "description"
      ? { field, before: beginningOf(before.description), after: beginningOf(after.description) }
      : { field, before: before[field], after: after[field] },
  );
  const isText = fields.length === 1 && (only === "title" || only === "description");
  return {
    ...mark,
    changes,
    ...(fields.includes("description") && { textBefore: before.description, textAfter: after.description }),
    continues: isText && mark.undoesId === undefined,
  };
}

function beginningOf(text: string | null): string | null {
  return text === null || text.length <= MAX_BEGINNING ? text : `${text.slice(0, MAX_BEGINNING).toWellFormed()}…`;
}
