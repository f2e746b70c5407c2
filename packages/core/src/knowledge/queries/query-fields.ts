export type QuerySource = "notes" | "tasks";

/** What can be compared with a field. A property has values of any kind. */
export type FieldKind = "text" | "tag" | "folder" | "date" | "number" | "choice" | "boolean" | "property";

/** A field that a query names. `label` is how it was written. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly label: string;
}

const NOTE_FIELDS = {
  title: "text",
  name: "text",
  path: "text",
  folder: "folder",
  tags: "tag",
  created: "date",
  modified: "date",
  size: "number",
  project: "text",
  shared: "boolean",
  links: "text",
  text: "text",
} as const satisfies Record<string, FieldKind>;
export type NoteField = keyof typeof NOTE_FIELDS;

const TASK_FIELDS = {
  title: "text",
  description: "text",
  status: "choice",
  priority: "choice",
  project: "text",
  tags: "tag",
  due: "date",
  created: "date",
  modified: "date",
  completed: "date",
  holder: "text",
  creator: "text",
  text: "text",
} as const satisfies Record<string, FieldKind>;
export type TaskField = keyof typeof TASK_FIELDS;

const ALIASES: Readonly<Record<string, string>> = {
  tag: "tags",
  changed: "modified",
  updated: "modified",
  link: "links",
  file: "name",
  claimed: "holder",
};

/** The values of fields that are chosen from a list, as people write them. */
export const CHOICES: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  status: {
    todo: "todo",
    in_progress: "in_progress",
    "in progress": "in_progress",
    "in-progress": "in_progress",
    blocked: "blocked",
    done: "done",
  },
  priority: { low: 1, medium: 2, high: 3, "1": 1, "2": 2, "3": 3 },
};

/** The fields that hold for searching only, and have nothing to show or to sort by. */
const CONDITION_ONLY: ReadonlySet<string> = new Set(["links", "text"]);
const PROPERTY_PREFIX = "property.";

/** The field of that name; null if there is none, which is only possible for tasks. */
export function findField(source: QuerySource, written: string): Field | null {
  const lower = written.toLowerCase();
  if (source === "notes" && lower.startsWith(PROPERTY_PREFIX)) {
    return {
      name: lower.slice(PROPERTY_PREFIX.length),
      kind: "property",
      label: written.slice(PROPERTY_PREFIX.length),
    };
  }
  const name = Object.hasOwn(ALIASES, lower) ? (ALIASES[lower] ?? lower) : lower;
  const kind = fieldKinds(source)[name];
  if (kind !== undefined) return { name, kind, label: written };
  return source === "notes" ? { name: lower, kind: "property", label: written } : null;
}

export function isNoteField(name: string): name is NoteField {
  return Object.hasOwn(NOTE_FIELDS, name);
}

export function isTaskField(name: string): name is TaskField {
  return Object.hasOwn(TASK_FIELDS, name);
}

/** Whether the field has a value to show and to sort by. */
export function isShowable({ name, kind }: Field): boolean {
  return kind === "property" || !CONDITION_ONLY.has(name);
}

/** The names of a source's fields. */
export function fieldNames(source: QuerySource): string[] {
  return Object.keys(fieldKinds(source));
}

function fieldKinds(source: QuerySource): Readonly<Partial<Record<string, FieldKind>>> {
  return source === "notes" ? NOTE_FIELDS : TASK_FIELDS;
}
