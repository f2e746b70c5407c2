import type { Bind } from "@workspace/db";
import type { FilterContext } from "../../platform/filter/filter-days.ts";
import {
  canUseTrigrams,
  datesSql,
  filterSqlOf,
  flagSql,
  foldedSql,
  idSql,
  instantSql,
  numberSql,
  tagsSql,
  writtenSql,
} from "../../platform/filter/filter-sql.ts";
import { foldText, toPrefixPattern, toSearchPattern } from "../../platform/fold-text.ts";
import { propertyName } from "../markdown/properties.ts";
import { linkNameOf } from "../markdown/wiki-links.ts";
import { isProperty, propertyOf, type NoteCondition, type NoteFilter } from "./note-fields.ts";
import { propertyPath } from "./property-path.ts";

/** Of `search_text`, which is folded. */
const TITLE = `split_part(d.search_text, E'\\x1f', 1)`;
const PATH = `split_part(d.search_text, E'\\x1f', 2)`;

/** In the frontmatter and in the text. */
export const NOTE_TAGS = "(d.tags || d.text_tags)";

/** The condition on a document `d`, with its properties `v` and its project `p`, that holds if it matches. It is never null. */
export function noteFilterSql(filter: NoteFilter, context: FilterContext, bind: Bind): string {
  return filterSqlOf(filter, (condition) => conditionSql(condition, context, bind));
}

function conditionSql(condition: NoteCondition, context: FilterContext, bind: Bind): string {
  const { field, op, values } = condition;
  if (isProperty(field))
    return op === "empty"
      ? `NOT coalesce(jsonb_exists(v.folded, ${bind(propertyName(propertyOf(field)))}), false)`
      : `coalesce(v.folded @? ${bind(propertyPath(propertyOf(field), condition, context))}::jsonpath, false)`;
  switch (field) {
    case "title":
      return foldedSql(TITLE, condition, bind);
    case "name":
      return foldedSql("d.link_name", { ...condition, values: op === "is" ? values.map(linkNameOf) : values }, bind);
    case "path":
      return foldedSql(PATH, condition, bind);
    case "folder":
      return folderSql(condition, bind);
    case "tag":
      return tagsSql(NOTE_TAGS, condition, {
        within: (names) => `d.id IN (SELECT id FROM documents WHERE tag_paths(tags || text_tags) && ${names} OFFSET 0)`,
        bind,
      });
    case "created":
      return datesSql(condition, context, { within: (range) => instantSql("d.created_at", range, context, bind) });
    case "changed":
      return datesSql(condition, context, { within: (range) => instantSql("d.modified_at", range, context, bind) });
    case "size":
      return numberSql("d.size_bytes", condition, "float8", bind);
    case "project":
      return idSql("p.id", "uuid", values, bind);
    case "shared":
      return flagSql("d.shared", values);
    case "links":
      return linksSql(condition, bind);
    case "text":
      return op === "empty" ? "d.size_bytes = 0" : textSql(values, bind);
  }
}

/** A folder stands for everything below it. */
function folderSql(condition: NoteCondition, bind: Bind): string {
  if (condition.op !== "is") return writtenSql("d.directory", condition, bind);
  const folders = condition.values.map((value) => foldText(value.split("/").filter(Boolean).join("/")));
  const below = folders.filter(Boolean).map((folder) => toPrefixPattern(`${folder}/`));
  const isBelow = `${PATH} LIKE ANY(${bind(below)}::text[])`;
  return folders.includes("") ? `d.directory = '' OR ${isBelow}` : isBelow;
}

function linksSql(condition: NoteCondition, bind: Bind): string {
  const links = "SELECT FROM document_links l WHERE l.document_id = d.id";
  if (condition.op === "empty") return `NOT EXISTS (${links})`;
  const values = condition.values.map((value) => linkNameOf(value.replace(/^\[\[|\]\]$/g, "")));
  return `EXISTS (${links} AND (${foldedSql("l.target_name", { ...condition, values }, bind)}))`;
}

function textSql(values: readonly string[], bind: Bind): string {
  const patterns = bind(values.map(toSearchPattern));
  // Two index lookups; a single condition would scan all texts.
  if (canUseTrigrams(values))
    return `d.id IN (SELECT id FROM documents WHERE search_text LIKE ANY(${patterns}::text[])
      UNION SELECT document_id FROM document_texts WHERE search_text LIKE ANY(${patterns}::text[]))`;
  // No index finds these, so each text is read once, by bytes, which takes less time than by characters.
  const bytes = `(SELECT array_agg(convert_to(pattern, 'UTF8')) FROM unnest(${patterns}::text[]) AS pattern)`;
  return `d.id IN (SELECT document_id FROM document_texts WHERE convert_to(search_text, 'UTF8') LIKE ANY(${bytes}::bytea[]))
    OR d.search_text LIKE ANY(${patterns}::text[])`;
}
