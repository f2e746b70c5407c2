import { column, defineComposedQuery, type Bind, type PoolClient, type RowOf } from "@workspace/db";
import type { FilterContext } from "../../platform/filter/filter-days.ts";
import { FILTER_EXAMPLE } from "../../work/task-filter/filter-example.ts";
import { propertyName } from "../markdown/properties.ts";
import { childOf, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import { jsonTime } from "./json-time.ts";
import { noteFilterSql, NOTE_TAGS } from "./note-conditions.ts";
import { isProperty, propertyOf, type NoteField, type PlainNoteField } from "./note-fields.ts";
import { parseQuery, type NoteQuery } from "./query-language.ts";

/** A query with ids for names, by what its days are measured, and for whom it is carried out. */
export interface NoteSearch {
  readonly query: NoteQuery;
  readonly context: FilterContext;
  /** Only what is below this folder; the root for everything. */
  readonly folder: VaultPath;
}

const FOUND_NOTE = {
  id: column.uuid,
  title: column.text,
  path: column.text,
  group: column.json.nullable,
  values: column.json.as<unknown[]>().neverNull,
};
export type FoundNote = RowOf<typeof FOUND_NOTE>;

const NAME = `regexp_replace(d.path, '^.*/', '')`;

type ShownField = Exclude<PlainNoteField, "links" | "text">;

/** What is shown of a field, as JSON. */
const SHOWN: Readonly<Record<ShownField, string>> = {
  title: "to_jsonb(d.title)",
  name: `to_jsonb(${NAME})`,
  path: "to_jsonb(d.path)",
  folder: "to_jsonb(d.directory)",
  tag: `to_jsonb(${NOTE_TAGS})`,
  created: jsonTime("d.created_at"),
  changed: jsonTime("d.modified_at"),
  size: "to_jsonb(d.size_bytes)",
  project: "to_jsonb(p.name)",
  shared: "to_jsonb(d.shared)",
};

/** What a field is sorted by. */
const ORDER: Readonly<Record<ShownField, string>> = {
  title: `d.title COLLATE "natural_order"`,
  name: `${NAME} COLLATE "natural_order"`,
  path: `d.path COLLATE "natural_order"`,
  folder: `d.directory COLLATE "natural_order"`,
  tag: `nullif(${NOTE_TAGS}, '{}')`,
  created: "d.created_at",
  changed: "d.modified_at",
  size: "d.size_bytes",
  project: `p.name COLLATE "natural_order"`,
  shared: "d.shared",
};

/** What is shown of a field, or sorted by: one of the expressions, or the property. */
function expressionOf(
  field: NoteField,
  expressions: Readonly<Record<ShownField, string>>,
  properties: "v.shown" | "v.folded",
  bind: Bind,
): string {
  if (isProperty(field)) return `(${properties} -> ${bind(propertyName(propertyOf(field)))}::text)`;
  return field === "links" || field === "text" ? "NULL::jsonb" : expressions[field];
}

const foundNotes = defineComposedQuery({
  name: "select-queried-notes",
  row: FOUND_NOTE,
  compose: ({ query, context, folder }: NoteSearch, bind) => {
    const conditions = ["d.deleted_at IS NULL", "d.file_type = 'markdown'"];
    if (folder !== "") conditions.push(`starts_with(d.path, ${bind(`${folder}/`)})`);
    if (query.where !== null) conditions.push(noteFilterSql(query.where, context, bind));
    const sorts = [...(query.group === null ? [] : [query.group]), ...query.sorts].map(
      ({ field, isDescending }) =>
        `${expressionOf(field, ORDER, "v.folded", bind)} ${isDescending ? "DESC" : "ASC"} NULLS LAST`,
    );
    // With a condition, most rows may have to be read, which takes longer in the order of an index.
    if (query.sorts.length === 0)
      sorts.push(query.where === null ? "d.modified_at DESC" : "d.modified_at + interval '0' DESC");
    const columns = query.columns.map(({ field }) => expressionOf(field, SHOWN, "v.shown", bind));
    const group = query.group === null ? "NULL::jsonb" : expressionOf(query.group.field, SHOWN, "v.shown", bind);
    return `
      SELECT d.id, d.title, d.path, ${group} AS "group", jsonb_build_array(${columns.join(", ")}) AS "values"
      FROM documents d LEFT JOIN document_properties v ON v.document_id = d.id
        LEFT JOIN projects p ON p.id = d.project_id AND p.deleted_at IS NULL
      WHERE ${conditions.join(" AND ")} ORDER BY ${sorts.join(", ")}, d.id LIMIT ${bind(query.limit + 1)}`;
  },
  examples: [exampleSearch(childOf(VAULT_ROOT, "a")), exampleSearch(VAULT_ROOT)],
});

/** Notes that a query finds, one more than its limit if there are more. */
export function selectQueriedNotes(db: PoolClient, search: NoteSearch): Promise<FoundNote[]> {
  return foundNotes.all(db, search);
}

function exampleSearch(folder: VaultPath): NoteSearch {
  const text = `
from notes
where title = a and name contains b and name in (c, d) and path begins with c and folder = d and #e and created = today and modified < today
where size > 1 and project = f and shared = true and links = g and text contains h and rating >= 4 and done
where not (title is empty or project is empty or links is empty or tags is empty or rating is empty or folder is empty)
sort title, name, path desc, created, rating
group folder
columns title, name, path, folder, tags, created, modified, size, project, shared, rating`;
  const parsed = parseQuery(text);
  if ("problem" in parsed || parsed.query.source !== "notes") throw new Error("The example is no query of notes.");
  return { query: parsed.query, context: FILTER_EXAMPLE.context, folder };
}
