import { clsx } from "clsx";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { GrowingTextarea } from "../components/field.tsx";
import { SaveNotice } from "./save-notice.tsx";
import { useSaveOnLeave, type TextSaving } from "./use-text-saving.ts";

interface TextInPlaceProps {
  readonly label: string;
  readonly saving: TextSaving;
  readonly rows: number;
  readonly maxLength: number;
  readonly placeholder?: string;
  readonly className?: string;
  /** Whether Escape discards what was typed; otherwise it is saved, as when the text loses the focus. */
  readonly isDiscardedByEscape?: boolean;
  /** Incremented when the caret must move to the end of the text. */
  readonly editRequest: number;
}

/** A text that is edited where it is shown, and saved when it loses the focus. */
export function TextInPlace({
  label,
  saving,
  rows,
  maxLength,
  placeholder,
  className,
  isDiscardedByEscape = false,
  editRequest,
}: TextInPlaceProps) {
  useSaveOnLeave(saving);
  const boxRef = useRef<HTMLDivElement>(null);
  const handledRequest = useRef(0);
  useEffect(() => {
    if (editRequest === handledRequest.current) return;
    handledRequest.current = editRequest;
    const field = boxRef.current?.querySelector("textarea");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [editRequest]);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isEscape = event.key === "Escape";
    if (!isEscape && !(event.key === "Enter" && (event.metaKey || event.ctrlKey))) return;
    if (isEscape && isDiscardedByEscape) saving.discard();
    event.preventDefault();
    event.currentTarget.blur();
  };
  return (
    <div ref={boxRef} className="flex flex-col">
      <GrowingTextarea
        aria-label={label}
        placeholder={placeholder}
        rows={rows}
        maxLength={maxLength}
        value={saving.text}
        className={clsx(
          "-mx-2 w-auto self-stretch rounded-control bg-transparent px-2 py-1 [overflow-wrap:anywhere] hover:bg-hover focus:bg-transparent",
          className,
        )}
        onChange={(event) => saving.change(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void saving.save()}
      />
      <SaveNotice saving={saving} />
    </div>
  );
}
