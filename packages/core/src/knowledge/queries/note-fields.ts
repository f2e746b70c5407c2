import type { FilterFields, FilterKind, Filter, Condition } from "../../platform/filter/filter.ts";
import type { FilterGrammar } from "../../platform/filter/parse-filter.ts";

const KINDS = {
  title: "text",
  name: "text",
  path: "text",
  folder: "folder",
  tag: "tag",
  created: "date",
  changed: "date",
  size: "number",
  project: "project",
  shared: "flag",
  links: "link",
  text: "search",
} as const satisfies Record<string, FilterKind>;

const ALIASES: Readonly<Record<string, PlainNoteField>> = {
  tags: "tag",
  modified: "changed",
  updated: "changed",
  link: "links",
  file: "name",
};
const PROPERTY = "property.";

export type PlainNoteField = keyof typeof KINDS;
type PropertyField = `property.${string}`;
/** A field of every note, or a property in the frontmatter of some. */
export type NoteField = PlainNoteField | PropertyField;
export type NoteFilter = Filter<NoteField>;
export type NoteCondition = Condition<NoteField>;

function isPlainField(name: string): name is PlainNoteField {
  return Object.hasOwn(KINDS, name);
}

export function isProperty(field: NoteField): field is PropertyField {
  return field.startsWith(PROPERTY);
}

/** The name of a property. */
export function propertyOf(field: PropertyField): string {
  return field.slice(PROPERTY.length);
}

/** The fields of notes. A name that is none of them is a property. */
export const NOTE_FIELDS: FilterFields<NoteField> = {
  source: "notes",
  find: (name) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(PROPERTY)) return `property.${lower.slice(PROPERTY.length)}`;
    return isPlainField(lower) ? lower : Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : `property.${lower}`;
  },
  kindOf: (field) => (isPlainField(field) ? KINDS[field] : "property"),
  names: Object.keys(KINDS),
};

export const NOTE_PROSE: FilterGrammar<NoteField> = {
  fields: NOTE_FIELDS,
  style: "prose",
  search: "text",
  tag: "tag",
};
