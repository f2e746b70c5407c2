import { defineComposedCommand, type PoolClient } from "@workspace/db";
import { toSearchText } from "../../platform/fold-text.ts";
import type { ShareType } from "../file-records/document-record.schema.ts";
import type { StoredDocument } from "../file-records/document.queries.ts";

/** The fields of a document that are stored only in the database. */
export interface DocumentDetails {
  /** Title and tags are stored only for text files, which cannot contain them. */
  readonly title?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly projectId?: string | null | undefined;
  readonly shared?: boolean | undefined;
  readonly shareType?: ShareType | null | undefined;
}

const changedDetails = defineComposedCommand({
  name: "update-document-details",
  compose: (
    change: DocumentDetails & { readonly id: string; readonly path: string; readonly modifiedAt: Date },
    bind,
  ) => {
    const { id, path, title, tags, projectId, shared, shareType, modifiedAt } = change;
    const assignments = [`modified_at = ${bind(modifiedAt)}`];
    if (title !== undefined) assignments.push(`title = ${bind(title)}`);
    if (title !== undefined) assignments.push(`search_text = ${bind(toSearchText(title, path))}`);
    if (tags !== undefined) assignments.push(`tags = ${bind(tags)}`);
    if (projectId !== undefined) assignments.push(`project_id = ${bind(projectId)}`);
    if (shared !== undefined) assignments.push(`shared = ${bind(shared)}`);
    if (shareType !== undefined) assignments.push(`share_type = ${bind(shareType)}`);
    return `UPDATE documents SET ${assignments.join(", ")} WHERE id = ${bind(id)}`;
  },
  examples: [
    {
      id: "",
      path: "",
      title: "a",
      tags: [],
      projectId: null,
      shared: true,
      shareType: null,
      modifiedAt: new Date(0),
    },
  ],
});

/** Changes only the given fields. */
export async function updateDetails(
  db: PoolClient,
  { id, path }: Pick<StoredDocument, "id" | "path">,
  details: DocumentDetails,
  modifiedAt: Date,
): Promise<void> {
  await changedDetails.run(db, { ...details, id, path, modifiedAt });
}
