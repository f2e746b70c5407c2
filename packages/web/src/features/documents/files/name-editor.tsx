import { useState, type KeyboardEvent } from "react";
import { isMarkdownPath } from "../document.ts";
import { nameFromTyped, problemWithName, stemOf } from "../vault/vault-path.ts";

interface NameEditorProps {
  /** The current name, with its extension. */
  readonly name: string;
  readonly label: string;
  readonly className?: string;
  /** What is wrong with a name, in a sentence; by default, with that of a file. */
  readonly check?: (name: string) => string | null;
  /** Whether what is named is created by it, so that the name may stay as it is. */
  readonly isNew?: boolean;
  onRename(name: string): void;
  onStop(): void;
  /** Called instead of `onStop` if the user gives up naming it. */
  onCancel?(): void;
}

/** The name of a file, a folder or a tag, edited in place. Notes are shown without their extension, which is kept. */
export function NameEditor({
  name,
  label,
  className = "",
  check = problemWithName,
  isNew = false,
  onRename,
  onStop,
  onCancel = onStop,
}: NameEditorProps) {
  const isNote = isMarkdownPath(name);
  const [text, setText] = useState(isNote ? stemOf(name) : name);
  const wanted = isNote ? nameFromTyped(text, name) : text.trim();
  const problem = text.trim() === "" ? "Enter a name." : check(wanted);

  const finish = () => {
    onStop();
    if (problem === null && (isNew || wanted !== name)) onRename(wanted);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onCancel();
    else if (event.key === "Enter" && problem === null) finish();
    else return;
    event.preventDefault();
  };
  return (
    <span className="relative min-w-0 flex-1">
      <input
        autoFocus
        aria-label={label}
        aria-invalid={problem === null ? undefined : true}
        value={text}
        spellCheck={false}
        className={`h-7 w-full rounded-control border border-accent-text bg-surface px-1.5 text-strong aria-invalid:border-danger touch:h-10 ${className}`}
        onFocus={(event) => event.target.setSelectionRange(0, stemOf(text).length)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onClick={(event) => event.stopPropagation()}
        onBlur={finish}
      />
      {problem !== null && (
        <span
          role="alert"
          className="absolute top-full left-0 z-10 mt-1 rounded-control bg-raised px-2 py-1 text-12 whitespace-nowrap text-danger shadow-float"
        >
          {problem}
        </span>
      )}
    </span>
  );
}
