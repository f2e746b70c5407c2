import { CircleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "../../../client/store.ts";
import { useClient } from "../../../client/use-client.ts";
import { shownName, type Document } from "../document.ts";
import { documentDrafts } from "./draft-store.ts";
import { unmergedTexts } from "./unmerged-texts.ts";

interface UnsavedDraftsProps {
  readonly documents: readonly Document[];
  /** The id of the document that is shown, which says itself whether it is saved. */
  readonly openId: string | undefined;
  onOpen(id: string): void;
}

/** Notes with unsaved changes that no editor is about to save: opening one restores its draft. */
export function UnsavedDrafts({ documents, openId, onOpen }: UnsavedDraftsProps) {
  const drafted = useDraftedIds();
  const unsaved = drafted.size === 0 ? [] : documents.filter(({ id }) => drafted.has(id) && id !== openId);
  if (unsaved.length === 0) return null;
  return (
    <section
      aria-label="Unsaved drafts"
      className="flex shrink-0 items-start gap-2 border-b border-border bg-warning/10 px-3 py-2 text-13 text-strong"
    >
      <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
      <p className="min-w-0">
        Unsaved changes:{" "}
        {unsaved.map(({ id, path }, index) => (
          <span key={id}>
            {index > 0 && ", "}
            <button type="button" className="font-medium text-accent-text underline" onClick={() => onOpen(id)}>
              {shownName(path)}
            </button>
          </span>
        ))}
      </p>
    </section>
  );
}

/**
 * The documents that had drafts at the start and still do, and those that are to be merged. Other text that is written from then on is not
 * included: its editor saves it.
 */
function useDraftedIds(): ReadonlySet<string> {
  const client = useClient();
  const unmerged = useStore(unmergedTexts(client).ids);
  const [drafted, setDrafted] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const drafts = documentDrafts(client);
    void drafts.documentIds().then(setDrafted);
    return drafts.onDropped(() => {
      void drafts
        .documentIds()
        .then((found) => setDrafted((known) => new Set([...known].filter((id) => found.has(id)))));
    });
  }, [client]);
  return new Set([...drafted, ...unmerged]);
}
