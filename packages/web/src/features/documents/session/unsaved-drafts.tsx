import { CircleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { useClient } from "../../../client/use-client.ts";
import { shownName, type Document } from "../document.ts";
import { documentDrafts } from "./draft-store.ts";

interface UnsavedDraftsProps {
  readonly documents: readonly Document[];
  onOpen(id: string): void;
}

/** Notes with unsaved changes from an earlier visit: opening one restores its draft. */
export function UnsavedDrafts({ documents, onOpen }: UnsavedDraftsProps) {
  const [drafted, dismiss] = useDraftedIds();
  const unsaved = drafted.size === 0 ? [] : documents.filter(({ id }) => drafted.has(id));
  if (unsaved.length === 0) return null;
  const open = (id: string) => {
    dismiss(id);
    onOpen(id);
  };
  return (
    <section
      aria-label="Unsaved drafts"
      className="flex shrink-0 items-start gap-2 border-b border-border bg-warning/10 px-3 py-2 text-13 text-strong"
    >
      <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
      <p className="min-w-0">
        Unsaved changes from an earlier visit:{" "}
        {unsaved.map(({ id, path }, index) => (
          <span key={id}>
            {index > 0 && ", "}
            <button type="button" className="font-medium text-accent-text underline" onClick={() => open(id)}>
              {shownName(path)}
            </button>
          </span>
        ))}
      </p>
    </section>
  );
}

/**
 * The documents that had drafts at the start and still do. Text written from then on is not included: its editor saves it.
 * Also returns a function that removes one from the list.
 */
function useDraftedIds(): [ReadonlySet<string>, (id: string) => void] {
  const client = useClient();
  const [drafted, setDrafted] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const drafts = documentDrafts(client);
    void drafts.documentIds().then(setDrafted);
    return drafts.onDropped(() => {
      void drafts.documentIds().then((found) => setDrafted((known) => filterSet(known, (id) => found.has(id))));
    });
  }, [client]);
  return [drafted, (dismissed) => setDrafted((known) => filterSet(known, (id) => id !== dismissed))];
}

function filterSet(ids: ReadonlySet<string>, isKept: (id: string) => boolean): ReadonlySet<string> {
  return new Set([...ids].filter(isKept));
}
