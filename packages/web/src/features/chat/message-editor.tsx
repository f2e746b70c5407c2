import { useState, type KeyboardEvent } from "react";
import { Button } from "../../components/button.tsx";
import { Textarea } from "../../components/field.tsx";
import { AttachmentChips } from "./attachment-chips.tsx";
import type { Attachment } from "./attachments.ts";
import { MAX_MESSAGE_LENGTH } from "./composer.tsx";

interface MessageEditorProps {
  readonly text: string;
  /** The files that come with it, which can be taken out. */
  readonly attachments: readonly Attachment[];
  readonly onSend: (text: string, attachments: readonly Attachment[]) => void;
  readonly onCancel: () => void;
}

/** A message to be sent once more in other words; the first version stays. */
export function MessageEditor({ text: before, attachments, onSend, onCancel }: MessageEditorProps) {
  const [text, setText] = useState(before);
  const [kept, setKept] = useState(attachments);
  const isEmpty = text.trim() === "" && kept.length === 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onCancel();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isEmpty) onSend(text, kept);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="flex w-full flex-col gap-2">
      <Textarea
        autoFocus
        aria-label="Edit the message"
        maxLength={MAX_MESSAGE_LENGTH}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <AttachmentChips
        attachments={kept}
        onRemove={(removed) => setKept(kept.filter((attachment) => attachment !== removed))}
      />
      <div className="flex justify-end gap-2">
        <Button size="small" tone="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="small" tone="primary" disabled={isEmpty} onClick={() => onSend(text, kept)}>
          Send
        </Button>
      </div>
    </div>
  );
}
