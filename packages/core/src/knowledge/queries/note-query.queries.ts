import { column, defineComposedQuery, type Bind, type PoolClient, type RowOf } from "@workspace/db";
import { foldText, toSearchPattern } from "../../platform/fold-text.ts";
import { linkNameOf } from "../markdown/wiki-links.ts";
import { propertyName } from "../markdown/properties.ts";
import { childOf, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import {
  foldedText,
  hasTag,
  inProject,
  instant,
  jsonTime,
  number,
  textOf,
  toSql,
  writtenText,
  type Comparison,
  type ConditionForms,
} from "./condition-sql.ts";
import { propertyPath, setPropertyPath } from "./property-path.ts";
import { isNoteField, type Field, type NoteField } from "./query-fields.ts";
import { parseQuery, type Query } from "./query-language.ts";

/** A query with where and for whom it is carried out. */
export interface NoteSearch {
  readonly query: Query;
  readonly timeZone: string;
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

/** Of `search_text`, which is folded. */
const TITLE = `split_part(d.search_text, E'\\x1f', 1)`;
const PATH = `split_part(d.search_text, E'\\x1f', 2)`;
const NAME = `regexp_replace(d.path, '^.*/', '')`;

/** In the frontmatter and in the text. */
const TAGS = "(d.tags || d.text_tags)";

type PlainField = Exclude<NoteField, "links" | "text">;

/** What is shown of a field, as JSON. */
const SHOWN: Readonly<Record<PlainField, string>> = {
  title: "to_jsonb(d.title)",
  name: `to_jsonb(${NAME})`,
  path: "to_jsonb(d.path)",
  folder: "to_jsonb(d.directory)",
  tags: `to_jsonb(${TAGS})`,
  created: jsonTime("d.created_at"),
  modified: jsonTime("d.modified_at"),
  size: "to_jsonb(d.size_bytes)",
  project: "to_jsonb(p.name)",
  shared: "to_jsonb(d.shared)",
};

/** What a field is sorted by. */
const ORDER: Readonly<Record<PlainField, string>> = {
  title: `d.title COLLATE "und-x-icu"`,
  name: `${NAME} COLLATE "und-x-icu"`,
  path: `d.path COLLATE "und-x-icu"`,
  folder: `d.directory COLLATE "und-x-icu"`,
  tags: `nullif(${TAGS}, '{}')`,
  created: "d.created_at",
  modified: "d.modified_at",
  size: "d.size_bytes",
  project: `p.name COLLATE "und-x-icu"`,
  shared: "d.shared",
};

const EMPTY: Readonly<Record<NoteField, string>> = {
  title: "d.title = ''",
  name: "false",
  path: "false",
  folder: "d.directory = ''",
  tags: `${TAGS} = '{}'`,
  created: "false",
  modified: "false",
  size: "d.size_bytes = 0",
  project: "p.id IS NULL",
  shared: "NOT d.shared",
  links: "NOT EXISTS (SELECT FROM document_links l WHERE l.document_id = d.id)",
  text: "d.size_bytes = 0",
};

function formsOf(timeZone: string, bind: Bind): ConditionForms {
  const hasPath = (path: string): string => `coalesce(v.folded @? ${bind(path)}::jsonpath, false)`;
  const compareField = (name: NoteField, comparison: Comparison): string => {
    switch (name) {
      case "title":
        return foldedText(TITLE, comparison, bind);
      case "name":
        return comparison.operator === "="
          ? `d.link_name = ${bind(linkNameOf(textOf(comparison.value)))}`
          : foldedText("d.link_name", comparison, bind);
      case "path":
        return foldedText(PATH, comparison, bind);
      case "folder":
        return inFolder(comparison, bind);
      case "tags":
        return hasTag(TAGS, comparison, bind);
      case "created":
        return instant("d.created_at", comparison, timeZone, bind);
      case "modified":
        return instant("d.modified_at", comparison, timeZone, bind);
      case "size":
        return number("d.size_bytes", comparison, bind);
      case "project":
        return inProject("d.project_id", comparison, bind);
      case "shared":
        return `d.shared = ${bind(comparison.value.kind === "boolean" && comparison.value.boolean)}::boolean`;
      case "links":
        return linksTo(comparison, bind);
      case "text":
        return hasText(textOf(comparison.value), bind);
    }
  };
  return {
    compare: (comparison) => {
      const { name, kind } = comparison.field;
      return kind !== "property" && isNoteField(name)
        ? compareField(name, comparison)
        : hasPath(propertyPath(comparison));
    },
    isEmpty: ({ name, kind }) =>
      kind !== "property" && isNoteField(name)
        ? EMPTY[name]
        : `NOT coalesce(jsonb_exists(v.folded, ${bind(propertyName(name))}), false)`,
    isSet: ({ name, kind }) =>
      kind !== "property" && isNoteField(name) ? `NOT (${EMPTY[name]})` : hasPath(setPropertyPath(name)),
  };
}

/** A folder stands for everything below it. */
function inFolder(comparison: Comparison, bind: Bind): string {
  if (comparison.operator !== "=") return writtenText("d.directory", comparison, bind);
  const wanted = foldText(
    textOf(comparison.value)
      .split("/")
      .filter((name) => name !== "")
      .join("/"),
  );
  return wanted === "" ? "d.directory = ''" : `starts_with(${PATH}, ${bind(`${wanted}/`)})`;
}

function linksTo(comparison: Comparison, bind: Bind): string {
  const written = textOf(comparison.value).replace(/^\[\[|\]\]$/g, "");
  const wanted: Comparison = { ...comparison, value: { kind: "text", text: linkNameOf(written) } };
  return `EXISTS (SELECT FROM document_links l
    WHERE l.document_id = d.id AND ${foldedText("l.target_name", wanted, bind)})`;
}

/** Two index lookups; a single condition would scan all texts. */
function hasText(text: string, bind: Bind): string {
  const pattern = bind(toSearchPattern(text));
  return `d.id IN (SELECT id FROM documents WHERE search_text LIKE ${pattern}
    UNION SELECT document_id FROM document_texts WHERE search_text LIKE ${pattern})`;
}

function isPlainField(name: string): name is PlainField {
  return Object.hasOwn(SHOWN, name);
}

function shownOf({ name, kind }: Field, bind: Bind): string {
  return kind !== "property" && isPlainField(name) ? SHOWN[name] : `(v.shown -> ${bind(propertyName(name))}::text)`;
}

function orderOf({ name, kind }: Field, bind: Bind): string {
  return kind !== "property" && isPlainField(name) ? ORDER[name] : `(v.folded -> ${bind(propertyName(name))}::text)`;
}

const foundNotes = defineComposedQuery({
  name: "select-queried-notes",
  row: FOUND_NOTE,
  compose: ({ query, timeZone, folder }: NoteSearch, bind) => {
    const conditions = ["d.deleted_at IS NULL", "d.file_type = 'markdown'"];
    if (folder !== "") conditions.push(`starts_with(d.path, ${bind(`${folder}/`)})`);
    if (query.where !== null) conditions.push(toSql(query.where, formsOf(timeZone, bind)));
    const sorts = [...(query.group === null ? [] : [query.group]), ...query.sorts].map(
      ({ field, isDescending }) => `${orderOf(field, bind)} ${isDescending ? "DESC" : "ASC"} NULLS LAST`,
    );
    // With a condition, most rows may have to be read, which takes longer in the order of an index.
    if (query.sorts.length === 0)
      sorts.push(query.where === null ? "d.modified_at DESC" : "d.modified_at + interval '0' DESC");
    const columns = query.columns.map((field) => shownOf(field, bind));
    const group = query.group === null ? "NULL::jsonb" : shownOf(query.group.field, bind);
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
where title = a and name contains b and path begins with c and folder = d and #e and created = today and modified < today
where size > 1 and project = f and shared = true and links = g and text contains h and rating >= 4 and done
where not (title is empty or project is empty or links is empty or tags is empty or rating is empty or folder is empty)
sort title, name, path desc, created, rating
group folder
columns title, name, path, folder, tags, created, modified, size, project, shared, rating`;
  const parsed = parseQuery(text, "2026-01-01");
  if ("problem" in parsed) throw new Error(parsed.problem.message);
  return { query: parsed.query, timeZone: "UTC", folder };
}
