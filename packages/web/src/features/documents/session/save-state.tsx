import { Check, CircleAlert, CloudUpload } from "lucide-react";
import { useStore } from "../../../client/store.ts";
import { useClient } from "../../../client/use-client.ts";
import { useKeptChanges } from "../../outbox/outbox.ts";
import type { DocumentSession } from "./document-session.ts";
import { useSessionState } from "./use-session.ts";

/** Whether the text has been saved. */
export function SaveState({ session }: { readonly session: DocumentSession }) {
  const { saving } = useSessionState(session);
  const isAway = useStore(useClient().connection) !== "online";
  return (
    <div role="status" className="flex items-center px-1 text-12 whitespace-nowrap text-muted">
      {saving.kind === "saved" && (
        <span className="flex items-center gap-1">
          <Check aria-hidden size={14} />
          <span className="max-md:sr-only">Saved</span>
        </span>
      )}
      {(saving.kind === "waiting" || saving.kind === "saving") && <span>Saving…</span>}
      {saving.kind === "conflict" && (
        <span className="flex items-center gap-1 font-medium text-warning">
          <CircleAlert aria-hidden size={14} />
          {/* A phone has no room for it beside the name, and the merge says so below. */}
          <span className="max-md:sr-only">Changed elsewhere</span>
        </span>
      )}
      {saving.kind === "failed" && isAway && (
        <span className="flex items-center gap-1" data-tooltip="It is sent once the server responds.">
          <CloudUpload aria-hidden size={14} />
          <span className="max-md:sr-only">Saved on this device</span>
        </span>
      )}
      {saving.kind === "failed" && !isAway && (
        <button
          type="button"
          className="flex items-center gap-1 rounded-control px-1 font-medium text-danger hover:bg-hover"
          data-tooltip={`${saving.message} Your text is kept in this browser, and saving is retried automatically.`}
          onClick={() => void session.saveNow()}
        >
          <CircleAlert aria-hidden size={14} />
          <span>
            Not saved<span className="max-md:sr-only"> – try again</span>
          </span>
        </button>
      )}
    </div>
  );
}

/** Says that something of a document besides its text is still to be sent. */
export function UnsentMark({ id }: { readonly id: string }) {
  const isUnsent = useKeptChanges().some(({ rowId, problem }) => rowId === id && problem === null);
  if (!isUnsent) return null;
  return (
    <span role="note" className="flex items-center gap-1 px-1 text-12 whitespace-nowrap text-muted">
      <CloudUpload aria-hidden size={14} />
      <span className="max-md:sr-only">Not sent yet</span>
    </span>
  );
}
