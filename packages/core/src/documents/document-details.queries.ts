import type { PoolClient } from "@workspace/db";
import { toSearchText } from "../platform/fold-text.ts";
import type { StoredDocument } from "./document.queries.ts";
import type { ShareType } from "./document.schema.ts";

/** What the database knows of a document and its file does not. */
export interface DocumentDetails {
  /** Title and tags: of a text file, which has no place for them. */
  readonly title?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly projectId?: string | null | undefined;
  readonly shared?: boolean | undefined;
  readonly shareType?: ShareType | null | undefined;
}

/** Changes what is given and nothing else. */
export async function updateDetails(
  db: PoolClient,
  { id, path }: Pick<StoredDocument, "id" | "path">,
  details: DocumentDetails,
  modifiedAt: Date,
): Promise<void> {
  const { title, tags, projectId, shared, shareType } = details;
  const columns: Record<string, unknown> = {
    title,
    tags,
    search_text: title === undefined ? undefined : toSearchText(title, path),
    project_id: projectId,
    shared,
    share_type: shareType,
    modified_at: modifiedAt,
  };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const assignments = given.map(([column], index) => `${column} = $${index + 2}`).join(", ");
  await db.query(`UPDATE documents SET ${assignments} WHERE id = $1`, [id, ...given.map(([, value]) => value)]);
}
