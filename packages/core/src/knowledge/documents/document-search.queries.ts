import { column, defineComposedQuery, defineQuery, FileType, type Queryable, type RowOf } from "@workspace/db";
import { foldText, toSearchPattern } from "../../platform/fold-text.ts";
import { childOf, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";

/** How much of a text is searched for the excerpt of a hit. */
const EXCERPT_CHARACTERS = 50_000;

const NAMED = {
  id: column.uuid,
  title: column.text,
  path: column.text,
  fileType: column.oneOf(FileType),
  modifiedAt: column.timestamp,
};
const HIT = {
  ...NAMED,
  /** The beginning of the text; null for a file without text. */
  text: column.text.nullable,
};
export type SearchRow = Readonly<RowOf<typeof HIT>>;

interface WordSearch {
  readonly words: readonly string[];
  /** Only what is below this folder; the root for everything. */
  readonly folder: VaultPath;
  readonly limit: number;
}

const hits = defineComposedQuery({
  name: "search-documents",
  row: HIT,
  compose: ({ words, folder, limit }: WordSearch, bind) => {
    const patterns = words.map((word) => bind(toSearchPattern(word)));
    const matches = patterns.map(
      (pattern) => `d.id IN (
        SELECT id FROM documents WHERE search_text LIKE ${pattern}
        UNION SELECT document_id FROM document_texts WHERE search_text LIKE ${pattern})`,
    );
    const isInFolder = folder === VAULT_ROOT ? "" : `AND starts_with(d.path, ${bind(`${folder}/`)})`;
    const phrase = bind(foldText(words.join(" ")));
    // The title precedes the separator. It is not folded here, because SQL folds differently from JavaScript.
    const title = `split_part(d.search_text, E'\\x1f', 1)`;
    const inTitle = patterns.map((pattern) => `${title} LIKE ${pattern}`).join(" AND ");
    const inTitleOrPath = patterns.map((pattern) => `d.search_text LIKE ${pattern}`).join(" AND ");
    return `
      WITH hits AS (
        SELECT d.id, d.title, d.path, d.file_type, d.modified_at,
          CASE
            WHEN ${title} = ${phrase} THEN 0
            WHEN starts_with(${title}, ${phrase}) THEN 1
            WHEN strpos(${title}, ' ' || ${phrase}) > 0 THEN 2
            WHEN ${inTitle} THEN 3
            WHEN ${inTitleOrPath} THEN 4
            ELSE 5
          END AS rank
        FROM documents d WHERE d.deleted_at IS NULL AND ${matches.join(" AND ")} ${isInFolder}
        ORDER BY rank, d.modified_at DESC, d.id LIMIT ${bind(limit)}
      )
      SELECT h.id, h.title, h.path, h.file_type AS "fileType", h.modified_at AS "modifiedAt",
        left(COALESCE(t.content, t.search_text), ${EXCERPT_CHARACTERS}) AS text
      FROM hits h LEFT JOIN document_texts t ON t.document_id = h.id
      ORDER BY h.rank, h.modified_at DESC, h.id`;
  },
  examples: [{ words: ["a", "b"], folder: childOf(VAULT_ROOT, "a"), limit: 1 }],
});

/**
 * The documents that contain every word, best matches first: those whose title equals the query, begins with it, or contains
 * it at the start of a word; then those with all words in the title, in title or path, or in the content. Among equals, the
 * most recently changed comes first.
 */
export function searchDocuments(db: Queryable, search: WordSearch): Promise<SearchRow[]> {
  return hits.all(db, search);
}

const recentDocuments = defineQuery({
  name: "select-recent-documents",
  row: HIT,
  text: `
    SELECT id, title, path, file_type AS "fileType", modified_at AS "modifiedAt", NULL AS text
    FROM documents WHERE deleted_at IS NULL AND ($1 = '' OR starts_with(path, $1 || '/'))
    ORDER BY modified_at DESC, id DESC LIMIT $2`,
});

/** The most recently changed documents below a folder, for a search without any words yet. */
export function selectRecentDocuments(db: Queryable, folder: VaultPath, limit: number): Promise<SearchRow[]> {
  return recentDocuments.all(db, [folder, limit]);
}

const similarDocuments = defineQuery({
  name: "select-similar-documents",
  row: NAMED,
  text: `
    SELECT id, title, path, file_type AS "fileType", modified_at AS "modifiedAt"
    FROM documents WHERE deleted_at IS NULL AND id = ANY($1::uuid[])`,
});

/** What is known of documents that another search has found. */
export function selectSimilarDocuments(
  db: Queryable,
  found: readonly { readonly id: string }[],
): Promise<Omit<SearchRow, "text">[]> {
  return similarDocuments.all(db, [found.map(({ id }) => id)]);
}
