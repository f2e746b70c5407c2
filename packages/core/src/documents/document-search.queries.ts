import { foldText, toSearchPattern } from "../platform/fold-text.ts";
import type { Queryable } from "./document.queries.ts";
import type { DocumentHit } from "./document.schema.ts";

/** How much of a text is looked through for the excerpt of a hit. */
const EXCERPT_CHARACTERS = 50_000;

export interface SearchRow extends Omit<DocumentHit, "excerpt"> {
  /** The beginning of the text; null for a file without. */
  readonly text: string | null;
}

/**
 * The documents that contain every word, best first: those whose title is the query, begins with it, or has it at the start
 * of a word; then anywhere in the title, in the path, in the content; of equals, the one that changed last.
 */
export async function searchDocuments(db: Queryable, words: readonly string[], limit: number): Promise<SearchRow[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const patterns = words.map((word) => bind(toSearchPattern(word)));
  const matches = patterns.map(
    (pattern) => `d.id IN (
      SELECT id FROM documents WHERE search_text LIKE ${pattern}
      UNION SELECT document_id FROM document_texts WHERE search_text LIKE ${pattern})`,
  );
  const phrase = bind(foldText(words.join(" ")));
  // The title is what stands before the separator; folding in JavaScript and here would be two different foldings.
  const title = `split_part(d.search_text, E'\\x1f', 1)`;
  const inTitle = patterns.map((pattern) => `${title} LIKE ${pattern}`).join(" AND ");
  const inTitleOrPath = patterns.map((pattern) => `d.search_text LIKE ${pattern}`).join(" AND ");
  const { rows } = await db.query<SearchRow>(
    `WITH hits AS (
       SELECT d.id, d.title, d.path, d.file_type, d.modified_at,
         CASE
           WHEN ${title} = ${phrase} THEN 0
           WHEN starts_with(${title}, ${phrase}) THEN 1
           WHEN strpos(${title}, ' ' || ${phrase}) > 0 THEN 2
           WHEN ${inTitle} THEN 3
           WHEN ${inTitleOrPath} THEN 4
           ELSE 5
         END AS rank
       FROM documents d WHERE d.deleted_at IS NULL AND ${matches.join(" AND ")}
       ORDER BY rank, d.modified_at DESC, d.id LIMIT ${bind(limit)}
     )
     SELECT h.id, h.title, h.path, h.file_type AS "fileType", h.modified_at AS "modifiedAt",
       left(COALESCE(t.content, t.search_text), ${EXCERPT_CHARACTERS}) AS text
     FROM hits h LEFT JOIN document_texts t ON t.document_id = h.id
     ORDER BY h.rank, h.modified_at DESC, h.id`,
    values,
  );
  return rows;
}

/** The documents that changed last, for a search that has no words yet. */
export async function selectRecentDocuments(db: Queryable, limit: number): Promise<SearchRow[]> {
  const { rows } = await db.query<SearchRow>(
    `SELECT id, title, path, file_type AS "fileType", modified_at AS "modifiedAt", NULL AS text
     FROM documents WHERE deleted_at IS NULL ORDER BY modified_at DESC, id DESC LIMIT $1`,
    [limit],
  );
  return rows;
}
