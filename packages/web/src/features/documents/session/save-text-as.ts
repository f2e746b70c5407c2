import { toRequestError } from "../../../api/request-error.ts";
import type { Client } from "../../../client/client.ts";
import { toasts } from "../../../components/toast.ts";
import { updateDetails } from "../document-actions.ts";
import { documentQuery } from "../document-collection.ts";
import { shownName, type DetailsPatch, type Document, type OpenDocument } from "../document.ts";
import { createNoteAt } from "../new-notes/unsent-notes.ts";
import { discardText, type DeletedText } from "./deleted-texts.ts";

/**
 * Saves what was written in a deleted document as a new note at a path, with the document's tags, project and other properties. Says where it
 * is, or why it is not saved; what was written is kept then.
 */
export async function saveTextAs(
  client: Client,
  { id, text, title }: DeletedText,
  path: string,
  show: (id: string) => void,
): Promise<void> {
  try {
    const { document, metadata } = await client.queries.fetchQuery(documentQuery(client, id));
    const created = await createNoteAt(client, path, text);
    if (created === undefined) return;
    const details = detailsOf(document, metadata);
    if (Object.keys(details).length > 0) await updateDetails(client, created, details);
    await discardText(client, id);
    toasts(client).show({
      message: `Saved as “${shownName(path)}”`,
      action: { label: "Open", run: () => show(created.id) },
    });
  } catch (error) {
    const { message: detail } = toRequestError(error);
    toasts(client).show({ message: `Could not save what you wrote in “${title}”`, detail, tone: "danger" });
  }
}

function detailsOf({ tags, projectId }: Document, metadata: OpenDocument["metadata"]): DetailsPatch {
  const title = metadata["title"];
  const others = Object.entries(metadata).filter(([name]) => name !== "title" && name !== "tags");
  return {
    ...(typeof title === "string" && { title }),
    ...(tags.length > 0 && { tags }),
    ...(projectId !== null && { projectId }),
    // What was read is of the types that can be written.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    ...(others.length > 0 && { fields: Object.fromEntries(others) as NonNullable<DetailsPatch["fields"]> }),
  };
}
