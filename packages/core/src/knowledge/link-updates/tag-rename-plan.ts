import { transaction, type Db } from "@workspace/db";
import { NotFoundError } from "../../platform/errors.ts";
import { selectTaggedNotes } from "../file-records/document-tag.queries.ts";
import { putLinkUpdate, type NewLinkUpdate } from "../file-records/link-plan.queries.ts";
import type { TagRename } from "../markdown/tag-rename.ts";

/** Records as a link update that a tag is renamed in all notes that have it. Throws {@link NotFoundError} if none has. */
export async function planTagRename(db: Db, update: NewLinkUpdate & { readonly tagRename: TagRename }): Promise<void> {
  const noteIds = await selectTaggedNotes(db.pool, update.tagRename.from);
  if (noteIds.length === 0) throw new NotFoundError("No note has this tag.");
  await transaction(db.pool, (client) => putLinkUpdate(client, update, new Map(noteIds.map((id) => [id, []]))));
}
