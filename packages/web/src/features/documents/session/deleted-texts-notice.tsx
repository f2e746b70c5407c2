import { useState } from "react";
import { useClient } from "../../../client/use-client.ts";
import { Button } from "../../../components/button.tsx";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { copyWithToast } from "../../../components/copy-with-toast.ts";
import { ProblemBanner } from "../../../components/problem-banner.tsx";
import { restoreDocuments } from "../document-actions.ts";
import { useShowDocument } from "../document-url.ts";
import { shownName } from "../document.ts";
import { discardText, useDeletedTexts, type DeletedText } from "./deleted-texts.ts";
import { saveTextAs } from "./save-text-as.ts";

/**
 * Says what was written here in a document that was deleted elsewhere meanwhile: the document is restored with it, or it is saved as another
 * note if something else has the path of the document by now; it is copied, or given up after asking.
 */
export default function DeletedTextsNotice() {
  const client = useClient();
  const [first, ...others] = useDeletedTexts();
  const [discarded, setDiscarded] = useState<DeletedText | null>(null);
  if (first === undefined) return null;
  const { title, text, otherPath } = first;
  return (
    <>
      <ProblemBanner
        title={`What you wrote in “${title}” is not saved.`}
        actions={
          <>
            <SaveButton deleted={first} />
            <Button size="small" onClick={() => void copyWithToast(client, text, "the text")}>
              Copy the text
            </Button>
            <Button size="small" tone="ghost" onClick={() => setDiscarded(first)}>
              Discard
            </Button>
          </>
        }
      >
        It has been deleted since{otherPath !== null && ", and something else has its name"}.
        {others.length > 0 && ` ${others.length.toLocaleString("en")} more.`}
      </ProblemBanner>
      {discarded !== null && (
        <ConfirmDialog
          title={`Discard what you wrote in “${discarded.title}”?`}
          description="It cannot be restored."
          confirmLabel="Discard"
          cancelLabel="Keep it"
          failure="Not discarded."
          onConfirm={async () => {
            await discardText(client, discarded.id);
            setDiscarded(null);
          }}
          onClose={() => setDiscarded(null)}
        />
      )}
    </>
  );
}

function SaveButton({ deleted }: { readonly deleted: DeletedText }) {
  const client = useClient();
  const show = useShowDocument();
  const { id, otherPath } = deleted;
  if (otherPath === null) {
    return (
      <Button size="small" onClick={() => void restoreDocuments(client, [id])}>
        Restore and save
      </Button>
    );
  }
  return (
    <Button size="small" onClick={() => void saveTextAs(client, deleted, otherPath, show)}>
      Save as “{shownName(otherPath)}”
    </Button>
  );
}
