import { FileText, ImageOff, X } from "lucide-react";
import { Suspense, useState, type ReactNode } from "react";
import { IconButton } from "../../components/button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { formatSize } from "../../numbers/number-format.ts";
import { isImage, useAttachmentContent, type Attachment } from "./attachments.ts";

const AttachmentDialog = lazyPart(() => import("./attachment-dialog.tsx"));

interface AttachmentChipsProps {
  readonly attachments: readonly Attachment[];
  /** Takes one out of a message that is being written. */
  readonly onRemove?: (attachment: Attachment) => void;
}

/** The files that come with a message: pictures small, texts by name. Each opens in full. */
export function AttachmentChips({ attachments, onRemove }: AttachmentChipsProps) {
  const [opened, setOpened] = useState<Attachment | null>(null);
  if (attachments.length === 0) return null;
  return (
    <>
      <ul aria-label="Attached" className="flex min-w-0 flex-wrap gap-1.5">
        {attachments.map((attachment) => (
          <Chip
            key={attachment.id}
            {...(onRemove !== undefined && {
              action: (
                <IconButton
                  size="small"
                  label={`Remove ${attachment.name}`}
                  icon={<X size={12} />}
                  className="shrink-0"
                  onClick={() => onRemove(attachment)}
                />
              ),
            })}
          >
            <button
              type="button"
              aria-haspopup="dialog"
              className="flex min-w-0 items-center gap-2 rounded-control pr-2 text-left"
              onClick={() => setOpened(attachment)}
            >
              <span className="sr-only">Open </span>
              {isImage(attachment) ? <Thumbnail attachment={attachment} /> : <TextMark />}
              <span className="flex min-w-0 flex-col">
                <span className="truncate text-strong">{attachment.name}</span>
                <span className="tabular text-muted">{formatSize(attachment.size)}</span>
              </span>
            </button>
          </Chip>
        ))}
      </ul>
      <Suspense>{opened !== null && <AttachmentDialog attachment={opened} onClose={() => setOpened(null)} />}</Suspense>
    </>
  );
}

/** One file, with what can be done with it. */
export function Chip({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <li className="flex max-w-72 min-w-0 items-center rounded-control border border-border bg-raised p-1 text-12">
      {children}
      {action}
    </li>
  );
}

const MARK = "flex size-10 shrink-0 items-center justify-center rounded-control bg-hover text-muted";

function TextMark() {
  return (
    <span aria-hidden className={MARK}>
      <FileText size={18} />
    </span>
  );
}

function Thumbnail({ attachment: { id, mediaType } }: { readonly attachment: Attachment }) {
  const { data, error } = useAttachmentContent(id);
  if (data === undefined) {
    return (
      <span aria-hidden className={MARK}>
        {error !== null && <ImageOff size={18} />}
      </span>
    );
  }
  return (
    <img
      alt=""
      src={`data:${mediaType};base64,${data}`}
      className="size-10 shrink-0 rounded-control bg-hover object-cover"
    />
  );
}
