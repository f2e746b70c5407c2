import { CircleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { shownName, type Document } from "./document.ts";
import { draftedDocumentIds, onDraftDropped } from "./draft-store.ts";

interface UnsavedDraftsProps {
  readonly documents: readonly Document[];
  onOpen(id: string): void;
}

/** Notes with changes of an earlier visit that were not saved: opening one takes them up. */
export function UnsavedDrafts({ documents, onOpen }: UnsavedDraftsProps) {
  const [drafted, leaveOut] = useDrafted();
  const unsaved = drafted.size === 0 ? [] : documents.filter(({ id }) => drafted.has(id));
  if (unsaved.length === 0) return null;
  const open = (id: string) => {
    leaveOut(id);
    onOpen(id);
  };
  return (
    <section
      aria-label="Not saved yet"
      className="flex shrink-0 items-start gap-2 border-b border-border bg-warning/10 px-3 py-2 text-13 text-strong"
    >
      <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
      <p className="min-w-0">
        Written and not saved yet:{" "}
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
 * The documents that had drafts at the start and still have. What is written from then on is not among them: it is saved
 * from where it is written. Answers how to leave one out, too.
 */
function useDrafted(): [ReadonlySet<string>, (id: string) => void] {
  const [drafted, setDrafted] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    void draftedDocumentIds().then(setDrafted);
    return onDraftDropped(() => {
      void draftedDocumentIds().then((found) => setDrafted((known) => only(known, (id) => found.has(id))));
    });
  }, []);
  return [drafted, (left) => setDrafted((known) => only(known, (id) => id !== left))];
}

function only(ids: ReadonlySet<string>, belongs: (id: string) => boolean): ReadonlySet<string> {
  return new Set([...ids].filter(belongs));
}
