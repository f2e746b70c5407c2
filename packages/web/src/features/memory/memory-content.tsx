import { useEffect, useRef, type KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { GrowingTextarea } from "../../components/field.tsx";
import { SaveNotice } from "../../drafts/save-notice.tsx";
import { saveDraftText, useSaveOnLeave, useTextSaving } from "../../drafts/use-text-saving.ts";
import { saveMemoryContent } from "./memory-actions.ts";
import type { Memory } from "./memory.ts";

const MAX_LENGTH = 10_000;

interface MemoryContentProps {
  readonly memory: Memory;
  /** Incremented when the caret must move into the text. */
  readonly editRequest: number;
}

/** The text of a memory, edited in place and saved when it loses the focus. */
export function MemoryContent({ memory, editRequest }: MemoryContentProps) {
  const client = useClient();
  const draftKey = `memory.${memory.id}.content`;
  const saving = useTextSaving({
    draftKey,
    saved: memory.content,
    // Not while typing: an unfinished sentence would be recalled as it is.
    savesInPauses: false,
    saveDraft: () => saveDraftText(draftKey, (text) => saveMemoryContent(client, memory.id, text.trim())),
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
    if (event.key === "Escape") saving.discard();
    else if (!isDone) return;
    event.preventDefault();
    event.currentTarget.blur();
  };
  return (
    <div ref={boxRef} className="flex flex-col">
      <GrowingTextarea
        aria-label="Memory text"
        rows={2}
        maxLength={MAX_LENGTH}
        value={saving.text}
        className="-mx-2 w-auto self-stretch rounded-control bg-transparent px-2 py-1 text-16 [overflow-wrap:anywhere] text-strong hover:bg-hover focus:bg-transparent"
        onChange={(event) => saving.change(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void saving.save()}
      />
      <SaveNotice saving={saving} />
    </div>
  );
}
