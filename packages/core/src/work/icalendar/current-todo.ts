import { momentProperty, type Moment } from "./calendar-task.ts";
import {
  calendarOf,
  instant,
  number,
  propertiesNamed,
  rule,
  text,
  writeComponent,
  type JCalComponent,
  type JCalProperty,
} from "./jcal.ts";
import { momentOf } from "./moment.ts";
import { TODO_PRIORITIES, TODO_STATUSES, toTodo } from "./task-todo.ts";
import {
  differingFields,
  fieldsOfTask,
  fieldsOfTodo,
  isParentRelation,
  type CalendarSubtask,
  type TodoField,
} from "./todo-fields.ts";
import { readTodoObject } from "./todo-object.ts";

/** The properties that belong to a field, and are replaced with it. */
const PROPERTIES: Readonly<Record<TodoField, readonly string[]>> = {
  title: ["summary"],
  // The second is the same text in HTML.
  description: ["description", "x-alt-desc"],
  status: ["status", "completed", "percent-complete"],
  priority: ["priority"],
  due: ["due", "duration"],
  tags: ["categories"],
  parentUid: [],
  repeat: ["rrule"],
};

/**
 * A task as a calendar object. One that a program has written is given back as it was, with all that only the program understands;
 * what has been changed since, and nothing else, is replaced in it.
 */
export function currentObject(
  task: CalendarSubtask,
  written: string | null,
): { calendar: JCalComponent; text: string } {
  if (written === null) {
    const calendar = calendarOf([], [completeTodo(task)]);
    return { calendar, text: writeComponent(calendar) };
  }
  const { calendar, todo } = readTodoObject(written);
  const changed = differingFields(fieldsOfTodo(todo), fieldsOfTask(task));
  if (changed.length === 0) return { calendar, text: written };
  const updated = updatedTodo(todo, task, changed);
  const components = calendar[2].map((component) => (component === todo ? updated : component));
  const current: JCalComponent = [calendar[0], calendar[1], components];
  return { calendar: current, text: writeComponent(current) };
}

function updatedTodo(todo: JCalComponent, task: CalendarSubtask, changed: readonly TodoField[]): JCalComponent {
  const replaced = new Set(["dtstamp", "last-modified", ...changed.flatMap((field) => PROPERTIES[field])]);
  const kept = todo[1].filter(
    (property) =>
      !replaced.has(property[0]) &&
      !(changed.includes("parentUid") && isParentRelation(property)) &&
      property[0] !== "dtstart",
  );
  const start = changed.some((field) => field === "due" || field === "repeat") ? startFor(todo, task) : startsOf(todo);
  return [
    todo[0],
    [
      ...kept,
      instant("dtstamp", task.modifiedAt),
      instant("last-modified", task.modifiedAt),
      ...start,
      ...changed.flatMap((field) => propertiesOf(field, task)),
    ],
    todo[2],
  ];
}

function startsOf(todo: JCalComponent): JCalProperty[] {
  return propertiesNamed(todo, "dtstart");
}

/** A start must be before the end, and of the same kind. A repetition needs one. */
function startFor(todo: JCalComponent, task: CalendarSubtask): JCalProperty[] {
  const { due, repeat } = fieldsOfTask(task);
  const starts = startsOf(todo);
  const [start] = starts;
  if (due === null) return starts;
  const began = start === undefined ? null : momentOf(start);
  if (began !== null && began.kind === due.kind && sortKey(began) < sortKey(due)) return starts;
  return repeat === null ? [] : [momentProperty("dtstart", due, null)];
}

function sortKey(moment: Moment): string {
  switch (moment.kind) {
    case "day":
      return moment.date;
    case "time":
      return `${moment.date}T${moment.time}`;
    case "instant":
      return moment.at;
  }
}

function propertiesOf(field: TodoField, task: CalendarSubtask): JCalProperty[] {
  switch (field) {
    case "title":
      return [text("summary", task.title)];
    case "description":
      return task.description === null || task.description === "" ? [] : [text("description", task.description)];
    case "status":
      return [
        text("status", TODO_STATUSES[task.status]),
        ...(task.completedAt === null ? [] : [instant("completed", task.completedAt), number("percent-complete", 100)]),
      ];
    case "priority": {
      const priority = TODO_PRIORITIES.get(task.priority);
      return priority === undefined ? [] : [number("priority", priority)];
    }
    case "due": {
      const { due } = fieldsOfTask(task);
      return due === null ? [] : [momentProperty("due", due, null)];
    }
    case "tags":
      return task.tags.length === 0 ? [] : [text("categories", ...task.tags)];
    case "parentUid":
      return task.parentUid === null ? [] : [text("related-to", task.parentUid)];
    case "repeat": {
      const { repeat } = fieldsOfTask(task);
      return repeat === null ? [] : [rule(repeat)];
    }
  }
}

/** A task that no program has written, with all that such a component can say. */
function completeTodo(task: CalendarSubtask): JCalComponent {
  const [name, properties, components] = toTodo(task, { timeZone: null, urlOf: null });
  const todo: JCalComponent = [name, properties, components];
  return [
    name,
    [...properties, ...startFor(todo, task), ...propertiesOf("parentUid", task), ...propertiesOf("repeat", task)],
    components,
  ];
}
