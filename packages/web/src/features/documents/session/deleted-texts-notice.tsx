import { CircleAlert } from "lucide-react";
import { useClient } from "../../../client/use-client.ts";
import { Button } from "../../../components/button.tsx";
import { copyWithToast } from "../../../components/copy-with-toast.ts";
import { restoreDocuments } from "../document-actions.ts";
import { discardText, useDeletedTexts } from "./deleted-texts.ts";

/** Says what was written here in a document that was deleted elsewhere meanwhile: it is restored and saved, copied or given up. */
export default function DeletedTextsNotice() {
  const client = useClient();
  const [first, ...others] = useDeletedTexts();
  if (first === undefined) return null;
  const { id, title, text } = first;
  return (
    <div
      role="alert"
      className="animate-fade flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-danger/8 px-4 py-1.5 text-13 text-strong"
    >
      <CircleAlert aria-hidden size={16} className="shrink-0 text-danger" />
      <p className="min-w-60 flex-1 [overflow-wrap:anywhere] max-md:basis-[85%]">
        <span className="font-medium">What you wrote in “{title}” is not saved.</span> It has been deleted since.
        {others.length > 0 && ` ${others.length.toLocaleString("en")} more.`}
      </p>
      <Button size="small" onClick={() => void restoreDocuments(client, [id])}>
        Restore and save
      </Button>
      <Button size="small" onClick={() => void copyWithToast(client, text, "the text")}>
        Copy the text
      </Button>
      <Button size="small" tone="ghost" onClick={() => void discardText(client, id)}>
        Discard
      </Button>
    </div>
  );
}
