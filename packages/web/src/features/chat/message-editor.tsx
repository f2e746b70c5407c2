import { useState, type KeyboardEvent } from "react";
import { Button } from "../../components/button.tsx";
import { Textarea } from "../../components/field.tsx";
import { MAX_MESSAGE_LENGTH } from "./composer.tsx";

interface MessageEditorProps {
  readonly text: string;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

/** A message to be sent once more in other words; the first version stays. */
export function MessageEditor({ text: before, onSend, onCancel }: MessageEditorProps) {
  const [text, setText] = useState(before);
  const isEmpty = text.trim() === "";
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onCancel();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isEmpty) onSend(text);
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
      <div className="flex justify-end gap-2">
        <Button size="small" tone="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="small" tone="primary" disabled={isEmpty} onClick={() => onSend(text)}>
          Send
        </Button>
      </div>
    </div>
  );
}
