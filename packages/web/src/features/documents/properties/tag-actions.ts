import { newLocalId } from "../../../api/local-id.ts";
import { toRequestError } from "../../../api/request-error.ts";
import type { Client } from "../../../client/client.ts";
import { toasts } from "../../../components/toast.ts";
import { pluralize } from "../../../numbers/number-format.ts";
import { undoStack } from "../../../undo/undo-stack.ts";
import { undoLinkUpdate } from "../links/link-updates.ts";
import { openSessions } from "../session/open-sessions.ts";
import { refreshVault } from "../vault/vault-store.ts";

/** Renames a tag in all notes, in one step that can be undone. Shows an error if that is not possible. */
export async function renameTag(client: Client, from: string, to: string): Promise<void> {
  try {
    // Tags are changed in what the server has.
    await openSessions(client).flush();
    const { data } = await client.api.linkUpdates.renameTag.mutate({ from, to });
    undoStack(client).offer({
      id: newLocalId(),
      label: `Renamed #${from} in ${pluralize(data.notes, "note")}`,
      undo: () => void undoRename(client, data.id),
    });
    await refreshVault(client);
  } catch (error) {
    showFailure(client, `Could not rename #${from}`, error);
  }
}

async function undoRename(client: Client, id: string): Promise<void> {
  try {
    await undoLinkUpdate(client, id);
    await refreshVault(client);
  } catch (error) {
    showFailure(client, "Could not undo the renaming", error);
  }
}

function showFailure(client: Client, message: string, error: unknown): void {
  toasts(client).show({ message, detail: toRequestError(error).message, tone: "danger" });
}
