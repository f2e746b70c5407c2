import { useEffect, useRef, type KeyboardEvent } from "react";
import { GrowingTextarea } from "../../components/field.tsx";
import { SavingNote } from "../../drafts/saving-note.tsx";
import { saveDraftText, useSaveOnLeave, useTextSaving } from "../../drafts/use-text-saving.ts";
import { saveMemoryContent } from "./memory-actions.ts";
import type { Memory } from "./memory.ts";

const MAX_LENGTH = 10_000;

interface MemoryContentProps {
  readonly memory: Memory;
  /** Counts up when the caret must go into the text. */
  readonly editRequest: number;
}

/** What the memory says, written in place and saved by leaving it. */
export function MemoryContent({ memory, editRequest }: MemoryContentProps) {
  const draftKey = `memory.${memory.id}.content`;
  const saving = useTextSaving({
    draftKey,
    saved: memory.content,
    // Half a sentence would be recalled as if it were meant.
    savesInPauses: false,
    saveDraft: () => saveDraftText(draftKey, (text) => saveMemoryContent(memory.id, text.trim())),
  });
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
    const isDone = event.key === "Enter" && (event.metaKey || event.ctrlKey);
    if (event.key === "Escape") saving.giveUp();
    else if (!isDone) return;
    event.preventDefault();
    event.currentTarget.blur();
  };
  return (
    <div ref={boxRef} className="flex flex-col">
      <GrowingTextarea
        aria-label="What is remembered"
        rows={2}
        maxLength={MAX_LENGTH}
        value={saving.text}
        className="-mx-2 w-auto self-stretch rounded-control bg-transparent px-2 py-1 text-16 [overflow-wrap:anywhere] text-strong hover:bg-hover focus:bg-transparent"
        onChange={(event) => saving.change(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void saving.save()}
      />
      <SavingNote saving={saving} />
    </div>
  );
}
