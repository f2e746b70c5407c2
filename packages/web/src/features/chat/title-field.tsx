import { useState, type KeyboardEvent } from "react";

const MAX_TITLE = 200;

interface TitleFieldProps {
  readonly title: string;
  /** Called with the new title; null if it was not changed. */
  readonly onDone: (title: string | null) => void;
}

/** Changes the title of a conversation in place. */
export function TitleField({ title, onDone }: TitleFieldProps) {
  const [text, setText] = useState(title);
  const finish = () => onDone(text.trim() === "" || text.trim() === title ? null : text.trim());
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onDone(null);
    else if (event.key === "Enter") finish();
  };
  return (
    <input
      autoFocus
      aria-label="Title"
      maxLength={MAX_TITLE}
      value={text}
      className="h-8 min-w-0 flex-1 rounded-control border border-accent-text bg-surface px-1.5 text-strong touch:h-10 touch:text-16"
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={finish}
    />
  );
}
