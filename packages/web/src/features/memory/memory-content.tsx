import { useClient } from "../../client/use-client.ts";
import { TextInPlace } from "../../drafts/text-in-place.tsx";
import { saveDraftText, useTextSaving } from "../../drafts/use-text-saving.ts";
import { saveMemoryContent } from "./memory-actions.ts";
import type { Memory } from "./memory.ts";

interface MemoryContentProps {
  readonly memory: Memory;
  /** Incremented when the caret must move into the text. */
  readonly editRequest: number;
}

/** The text of a memory, edited in place. */
export function MemoryContent({ memory, editRequest }: MemoryContentProps) {
  const client = useClient();
  const draftKey = `memory.${memory.id}.content`;
  const saving = useTextSaving({
    draftKey,
    saved: memory.content,
    // Not while typing: an unfinished sentence would be recalled as it is.
    savesInPauses: false,
    saveDraft: () => saveDraftText(client, draftKey, (text) => saveMemoryContent(client, memory.id, text.trim())),
  });
  return (
    <TextInPlace
      label="Memory text"
      saving={saving}
      rows={2}
      maxLength={10_000}
      className="text-16 text-strong"
      isDiscardedByEscape
      editRequest={editRequest}
    />
  );
}
