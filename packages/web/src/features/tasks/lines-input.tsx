import { Plus } from "lucide-react";
import { useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { linesOf } from "./pasted-lines.ts";

interface LinesInputProps {
  readonly label: string;
  /** Adds what was typed, or all lines of what was pasted. */
  readonly onAdd: (lines: readonly { readonly text: string; readonly isDone: boolean }[]) => void;
}

/** A field in which Enter adds a line, and pasting several lines adds them all. */
export function LinesInput({ label, onAdd }: LinesInputProps) {
  const [text, setText] = useState("");
  const add = () => {
    const trimmed = text.trim();
    if (trimmed === "") return;
    onAdd([{ text: trimmed, isDone: false }]);
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") add();
    else if (event.key === "Escape" && text !== "") setText("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData("text/plain");
    if (!/\n/.test(pasted.trim())) return;
    event.preventDefault();
    onAdd(linesOf(pasted));
  };
  return (
    <label className="flex min-h-8 items-center gap-2 text-muted touch:min-h-11">
      <Plus aria-hidden size={16} className="shrink-0" />
      <input
        aria-label={label}
        dir="auto"
        placeholder={label}
        autoComplete="off"
        enterKeyHint="enter"
        maxLength={500}
        value={text}
        className="h-8 min-w-0 flex-1 rounded-control bg-transparent text-strong placeholder:text-muted focus-visible:outline-none touch:h-11"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={add}
      />
    </label>
  );
}
