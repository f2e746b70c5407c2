import { useRef, type KeyboardEvent } from "react";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { drafts, useDraft } from "../../drafts/draft.ts";
import { draftKeyOf, saveDraft } from "./use-text-saving.ts";
import type { Task } from "./task.ts";
import { toasts } from "../../components/toast.ts";

interface TitleEditorProps {
  readonly task: Task;
  readonly onDone: (how: { readonly returnsFocus: boolean }) => void;
}

/** A title edited in its row: Enter or leaving the field saves, Escape cancels. */
export function TitleEditor({ task, onDone }: TitleEditorProps) {
  const client = useClient();
  const [draft, setDraft] = useDraft(draftKeyOf(task.id, "title"));
  const hasEnded = useRef(false);

  const end = ({ isSaved, returnsFocus }: { isSaved: boolean; returnsFocus: boolean }) => {
    // Unmounting the field blurs it, which must not end the edit a second time.
    if (hasEnded.current) return;
    hasEnded.current = true;
    if (!isSaved) setDraft(null);
    onDone({ returnsFocus });
    if (isSaved) void saveTitle(client, task.id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isEnter = event.key === "Enter" && !event.nativeEvent.isComposing;
    if (!isEnter && event.key !== "Escape") return;
    event.preventDefault();
    end({ isSaved: isEnter, returnsFocus: true });
  };
  return (
    <input
      aria-label="Title"
      dir="auto"
      autoFocus
      maxLength={500}
      value={draft ?? task.title}
      className="-ml-1.5 h-7 w-full rounded-control border border-accent-text bg-surface px-1.5 text-strong select-text focus-visible:outline-none"
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setDraft(event.target.value)}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={onKeyDown}
      onBlur={() => end({ isSaved: true, returnsFocus: false })}
    />
  );
}

/** Saves the draft of a title. If the server refuses, the draft stays and an error is shown. */
async function saveTitle(client: Client, taskId: string): Promise<void> {
  const key = draftKeyOf(taskId, "title");
  try {
    await saveDraft(client, taskId, "title");
  } catch (error) {
    toasts(client).show({
      id: key,
      message: `The title “${drafts(client).read(key) ?? ""}” was not saved`,
      detail: toRequestError(error).message,
      tone: "danger",
      action: { label: "Try again", run: () => void saveTitle(client, taskId) },
    });
  }
}
