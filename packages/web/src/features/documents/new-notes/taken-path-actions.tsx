import { toRequestError } from "../../../api/request-error.ts";
import type { Client } from "../../../client/client.ts";
import { useClient } from "../../../client/use-client.ts";
import { Button } from "../../../components/button.tsx";
import { toasts } from "../../../components/toast.ts";
import type { KeptChange } from "../../outbox/kept-change.ts";
import { outbox } from "../../outbox/outbox.ts";
import { updateDetails } from "../document-actions.ts";
import { useShowDocument } from "../document-url.ts";
import { documentDrafts } from "../session/draft-store.ts";
import { openSessions } from "../session/open-sessions.ts";
import { freePathBeside } from "../vault/vault-store.ts";
import { shownName } from "../document.ts";
import { moveUnsent, textOfUnsent, type UnsentNote } from "./unsent-notes.ts";

/** What can be done with a new note if somebody else has created one at its path: it gets another name, or both become one. */
export function TakenPathActions({ kept }: { readonly kept: KeptChange }) {
  const client = useClient();
  const show = useShowDocument();
  const { change } = kept;
  if (change.kind !== "create-note") return null;
  const note: UnsentNote = { ...kept, change };
  const other = freePathBeside(client, change.path);
  return (
    <>
      <Button size="small" onClick={() => void moveUnsent(client, [note], { from: change.path, to: other })}>
        Create as “{shownName(other)}”
      </Button>
      <Button size="small" onClick={() => void mergeInto(client, note, show)}>
        Merge with that one
      </Button>
    </>
  );
}

/** Opens the note that is at the path with the text of the new one as if it had been written there: the user merges them. */
async function mergeInto(client: Client, note: UnsentNote, show: (id: string) => void): Promise<void> {
  try {
    const { data } = await client.api.documents.byPath.mutate({ path: `/${note.change.path}` });
    const { id } = data.document;
    const text = await textOfUnsent(client, note);
    const draft = { text, baseText: "", baseHash: "" };
    const { details } = note.change;
    openSessions(client).publish(data);
    if (openSessions(client).has(id)) {
      const session = await openSessions(client).open(data);
      session.adopt({ draft, forget: () => void outbox(client).discard(note) });
    } else {
      await documentDrafts(client).store(id, draft);
      await outbox(client).discard(note);
    }
    if (details !== undefined) await updateDetails(client, data.document, details);
    show(id);
  } catch (error) {
    toasts(client).show({
      message: `Could not open “${note.title}”`,
      detail: toRequestError(error).message,
      tone: "danger",
    });
  }
}
