import { isDeepStrictEqual } from "node:util";
import { formatRepeatRule, parseRepeatRule, RepeatRuleError } from "../recurrence/repeat-rule.ts";
import type { RepeatOrigin } from "../recurrence/repeated-due.ts";
import type { TaskStatus } from "../tasks/task-status.ts";
import { normalizeTags } from "../tasks/tags.ts";
import { dueOf, type CalendarTask, type Moment } from "./calendar-task.ts";
import {
  parameterOf,
  plainText,
  propertiesNamed,
  textOf,
  writeValue,
  type JCalComponent,
  type JCalProperty,
} from "./jcal.ts";
import { momentOf } from "./moment.ts";
import { endOfDuration } from "./todo-duration.ts";

/** What a task and iCalendar's own kind of task have in common, in the terms of both. */
export interface TodoFields {
  readonly title: string;
  readonly description: string;
  /** iCalendar has no `blocked`. */
  readonly status: Exclude<TaskStatus, "blocked">;
  readonly priority: 1 | 2 | 3;
  readonly due: Moment | null;
  readonly tags: readonly string[];
  /** The UID of the task that it is a subtask of. */
  readonly parentUid: string | null;
  /** The rule by which it repeats; null also for one that tasks cannot have. */
  readonly repeat: string | null;
}
export type TodoField = keyof TodoFields;

/** What a task is called whose program has not named it. */
const UNNAMED = "Untitled task";
const FIELDS: readonly TodoField[] = [
  "title",
  "description",
  "status",
  "priority",
  "due",
  "tags",
  "parentUid",
  "repeat",
];

/** A task with the UID of its parent, and how it repeats. */
export interface CalendarSubtask extends CalendarTask {
  readonly parentUid: string | null;
  readonly repeat: string | null;
  readonly repeatFrom: RepeatOrigin;
}

/** What a component says about a task. */
export function fieldsOfTodo(todo: JCalComponent): TodoFields {
  const title = (textOf(todo, "summary") ?? "").trim();
  return {
    title: title === "" ? UNNAMED : title,
    description: textOf(todo, "description") ?? "",
    status: statusOf(todo),
    priority: priorityOf(todo),
    due: dueOfTodo(todo),
    tags: normalizeTags(propertiesNamed(todo, "categories").flatMap(textsOf)),
    parentUid: parentOf(todo),
    repeat: repeatOf(todo),
  };
}

/** What a component for this task would say. */
export function fieldsOfTask(task: CalendarSubtask): TodoFields {
  const { title, description, status, priority, tags, parentUid, repeat, repeatFrom } = task;
  return {
    title: plainText(title),
    description: plainText(description ?? ""),
    status: status === "blocked" ? "todo" : status,
    priority: priority === 1 || priority === 3 ? priority : 2,
    due: dueOf(task),
    tags: tags.map(plainText),
    parentUid,
    // iCalendar has no word for what counts from when it is done: a program would compute other dates.
    repeat: repeatFrom === "due" ? repeat : null,
  };
}

/** The fields in which two differ. */
export function differingFields(one: TodoFields, other: TodoFields): TodoField[] {
  return FIELDS.filter((field) => !isDeepStrictEqual(one[field], other[field]));
}

/** Whether the property makes a task a subtask: a relation without a type is to the parent. */
export function isParentRelation(property: JCalProperty): boolean {
  return property[0] === "related-to" && (parameterOf(property, "reltype") ?? "PARENT").toUpperCase() === "PARENT";
}

/** Tasks that nobody will do are done with. */
const STATUSES: ReadonlyMap<string, TodoFields["status"]> = new Map([
  ["NEEDS-ACTION", "todo"],
  ["IN-PROCESS", "in_progress"],
  ["COMPLETED", "done"],
  ["CANCELLED", "done"],
]);

function statusOf(todo: JCalComponent): TodoFields["status"] {
  return STATUSES.get(textOf(todo, "status")?.toUpperCase() ?? "") ?? statusWithoutStatus(todo);
}

function statusWithoutStatus(todo: JCalComponent): TodoFields["status"] {
  const percent = Number(textOf(todo, "percent-complete") ?? 0);
  if (propertiesNamed(todo, "completed").length > 0 || percent >= 100) return "done";
  return percent > 0 ? "in_progress" : "todo";
}

/** iCalendar's 1 is the highest and 9 the lowest; 0 is none. */
function priorityOf(todo: JCalComponent): TodoFields["priority"] {
  const priority = Number(textOf(todo, "priority") ?? 0);
  if (priority >= 1 && priority <= 4) return 3;
  return priority >= 6 && priority <= 9 ? 1 : 2;
}

function dueOfTodo(todo: JCalComponent): Moment | null {
  const [due] = propertiesNamed(todo, "due");
  if (due !== undefined) return momentOf(due);
  const [start] = propertiesNamed(todo, "dtstart");
  const duration = textOf(todo, "duration");
  return start === undefined || duration === null ? null : endOfDuration(momentOf(start), duration);
}

/** Only one rule of days is one of a task, and only of one that is due. */
function repeatOf(todo: JCalComponent): string | null {
  const rules = propertiesNamed(todo, "rrule");
  const [rule] = rules;
  if (rule === undefined || rules.length > 1 || dueOfTodo(todo) === null) return null;
  try {
    return formatRepeatRule(parseRepeatRule(writeValue(rule)));
  } catch (error) {
    if (error instanceof RepeatRuleError) return null;
    throw error;
  }
}

function textsOf([, , , ...values]: JCalProperty): string[] {
  return values.filter((value) => typeof value === "string");
}

function parentOf([, properties]: JCalComponent): string | null {
  const value = properties.find(isParentRelation)?.[3];
  return typeof value === "string" && value !== "" ? value : null;
}
