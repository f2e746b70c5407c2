import { LoaderCircle, RotateCcw, TriangleAlert, X } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { AttachmentChips, Chip } from "./attachment-chips.tsx";
import { attachmentUploads, type AttachmentUpload } from "./attachment-uploads.ts";
import { isImage } from "./attachments.ts";
import type { Attaching } from "./use-attaching.ts";

/** The files of a message that is being written: uploaded, on their way, or refused. */
export default function DraftAttachments({ attaching }: { readonly attaching: Attaching }) {
  const { attachments, uploads, set } = attaching;
  return (
    <div className="flex flex-col gap-1.5 px-3 py-1">
      <AttachmentChips
        attachments={attachments}
        onRemove={(removed) => set(attachments.filter((attachment) => attachment !== removed))}
      />
      {uploads.length > 0 && (
        <ul aria-label="Being attached" className="flex min-w-0 flex-wrap gap-1.5">
          {uploads.map((upload) => (
            <UploadChip key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
      {attachments.some(isImage) && (
        <p className="text-12 text-muted">
          The model is shown the picture itself. One that takes no pictures refuses the message; then choose another.
        </p>
      )}
    </div>
  );
}

function UploadChip({ upload }: { readonly upload: AttachmentUpload }) {
  const uploads = attachmentUploads(useClient());
  const { file, error } = upload;
  const isFailed = error !== null;
  return (
    <Chip
      action={
        <>
          {isFailed && (
            <IconButton
              size="small"
              label={`Try ${file.name} again`}
              icon={<RotateCcw size={12} />}
              onClick={() => uploads.retry(upload)}
            />
          )}
          <IconButton
            size="small"
            label={`Remove ${file.name}`}
            icon={<X size={12} />}
            onClick={() => uploads.remove(upload)}
          />
        </>
      }
    >
      <span className="flex size-10 shrink-0 items-center justify-center text-muted">
        {isFailed ? (
          <TriangleAlert aria-hidden size={18} className="text-danger" />
        ) : (
          <LoaderCircle aria-hidden size={18} className="animate-spin" />
        )}
      </span>
      <span role={isFailed ? "alert" : "status"} className="flex min-w-0 flex-col">
        <span className="truncate text-strong">{file.name}</span>
        <span className={isFailed ? "text-danger" : "text-muted"}>{error ?? "Uploading…"}</span>
      </span>
    </Chip>
  );
}
