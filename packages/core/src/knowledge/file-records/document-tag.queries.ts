import { column, defineQuery, type Queryable } from "@workspace/db";

const TAGS = (table: string) => `unnest(${table}.tags || ${table}.text_tags) AS tag`;

const isWithin = (tag: string, outer: string) =>
  `(lower(${tag}) = lower(${outer}) OR starts_with(lower(${tag}), lower(${outer}) || '/'))`;

/** The condition that a document has a tag, or one nested in it, in its frontmatter or its text. */
export function hasTag(table: string, tag: string): string {
  return `EXISTS (SELECT FROM ${TAGS(table)} WHERE ${isWithin("tag", `${tag}::text`)})`;
}

const tagCounts = defineQuery({
  name: "select-document-tags",
  row: { tag: column.text.neverNull, count: column.safeInteger.neverNull },
  text: `
    SELECT mode() WITHIN GROUP (ORDER BY tag) AS tag, count(DISTINCT d.id) AS count
    FROM documents d, ${TAGS("d")} WHERE d.deleted_at IS NULL
    GROUP BY lower(tag) ORDER BY lower(tag) COLLATE "C" LIMIT $1`,
});

/** The tags of active documents, in the case in which most have them, each with the number of documents that have it. */
export function selectTagCounts(db: Queryable, limit: number): Promise<{ tag: string; count: number }[]> {
  return tagCounts.all(db, [limit]);
}

const taggedNotes = defineQuery({
  name: "select-tagged-notes",
  row: { id: column.uuid },
  text: `
    SELECT d.id FROM documents d WHERE d.deleted_at IS NULL AND d.file_type = 'markdown' AND ${hasTag("d", "$1")} ORDER BY d.id`,
});

/** The ids of active notes that have a tag, or one nested in it. */
export async function selectTaggedNotes(db: Queryable, tag: string): Promise<string[]> {
  return (await taggedNotes.all(db, [tag])).map(({ id }) => id);
}
