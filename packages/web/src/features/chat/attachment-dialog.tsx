import { Download } from "lucide-react";
import { downloadBlob } from "../../browser/download-text.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { formatSize } from "../../numbers/number-format.ts";
import { isImage, useAttachmentContent, type Attachment } from "./attachments.ts";

interface AttachmentDialogProps {
  readonly attachment: Attachment;
  readonly onClose: () => void;
}

/** A file of a message in full, to look at or to save. */
export default function AttachmentDialog({ attachment, onClose }: AttachmentDialogProps) {
  const { name, mediaType, size } = attachment;
  const { data, error, refetch } = useAttachmentContent(attachment.id);
  return (
    <Dialog title={name} description={formatSize(size)} className="md:max-w-200" onClose={onClose}>
      {error !== null && (
        <ErrorState title="The file could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <SkeletonRows />}
      {data !== undefined && (
        <div className="flex flex-col items-start gap-3">
          {isImage(attachment) ? (
            <img
              alt={name}
              src={`data:${mediaType};base64,${data}`}
              className="max-h-[60vh] max-w-full rounded-control"
            />
          ) : (
            <pre
              tabIndex={0}
              aria-label={name}
              className="max-h-[60vh] w-full overflow-auto rounded-control bg-surface p-3 font-mono text-12 [overflow-wrap:anywhere] whitespace-pre-wrap text-strong"
            >
              {new TextDecoder().decode(toBytes(data))}
            </pre>
          )}
          <Button
            size="small"
            icon={<Download aria-hidden size={14} />}
            onClick={() => downloadBlob(name, new Blob([toBytes(data)], { type: mediaType }))}
          >
            Download
          </Button>
        </div>
      )}
    </Dialog>
  );
}

function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
}
