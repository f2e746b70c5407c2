import { clsx } from "clsx";
import { ArrowUp, AtSign, ListEnd, Paperclip } from "lucide-react";
import { Suspense, useEffect, useRef, type FormEvent, type KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { IconButton } from "../../components/button.tsx";
import { GrowingTextarea } from "../../components/field.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { chooseFiles } from "../documents/files/choose-files.ts";
import type { ModelChoice } from "./conversation-log.ts";
import { DictationButton } from "./dictation-button.tsx";
import { MentionChips } from "./mention-chips.tsx";
import { ModelPicker } from "./model-picker.tsx";
import { outbox } from "./outbox.ts";
import { useAttaching, type Attaching } from "./use-attaching.ts";
import { useMentioning } from "./use-mentioning.tsx";

const DraftAttachments = lazyPart(() => import("./draft-attachments.tsx"));

export const MAX_MESSAGE_LENGTH = 100_000;

interface ComposerProps {
  /** Null to start a conversation. */
  readonly conversationId: string | null;
  /** The last message, as far as is known. */
  readonly afterMessageId: string | null;
  /** The message that the next one follows, if that is not the last. */
  readonly parentId: string | undefined;
  readonly isAnswering: boolean;
  /** The model that answers; null for that of the settings. */
  readonly model: ModelChoice | null;
  readonly onModel: (model: ModelChoice | null) => void;
}

/** The message field. Enter sends, Shift+Enter starts a new line. */
export function Composer({ conversationId, afterMessageId, parentId, isAnswering, model, onModel }: ComposerProps) {
  const client = useClient();
  const draftKey = `chat.${conversationId ?? "new"}`;
  const [text, setText] = useDraft(draftKey);
  const formRef = useRef<HTMLFormElement>(null);
  const { mentions, setMentions, open, onTyped } = useMentioning(draftKey, formRef);
  const attaching = useAttaching(draftKey, formRef, MAX_MESSAGE_LENGTH);
  const { attachments, uploads } = attaching;
  const isPhone = useMediaQuery(PHONE);
  const isEmpty = (text ?? "").trim() === "" && attachments.length === 0;
  // An on-screen keyboard that opens unprompted would hide the conversation.
  useEffect(() => {
    if (!isPhone) formRef.current?.querySelector("textarea")?.focus();
  }, [isPhone]);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    // A message never goes without a file that is seen with it.
    if (isEmpty || uploads.length > 0) return;
    const message = { text: text ?? "", mentions, attachments, conversationId, afterMessageId, model };
    // What waits for an answer follows that.
    outbox(client).send({ ...message, parentId: isAnswering ? undefined : parentId }, { isQueued: isAnswering });
    setText(null);
    setMentions([]);
    attaching.set([]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Touch keyboards have no Shift+Enter: there Enter is a new line, and the button sends.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || isPhone) return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      ref={formRef}
      className="mx-auto flex w-full max-w-190 shrink-0 flex-col px-4 pt-1 pb-4 max-md:px-3 max-md:pb-3"
      onSubmit={submit}
    >
      <div
        className={clsx(
          "flex flex-col rounded-panel border bg-surface focus-within:border-accent-text",
          attaching.isOver ? "border-accent-text outline-2 outline-accent/50" : "border-control",
        )}
      >
        <GrowingTextarea
          aria-label="Message"
          rows={1}
          maxLength={MAX_MESSAGE_LENGTH}
          placeholder={placeholderOf(attaching, isAnswering)}
          value={text ?? ""}
          className="max-h-60 min-h-10 bg-transparent px-3.5 pt-2.5 pb-1 text-strong focus-visible:outline-none touch:text-16"
          onChange={({ target }) => {
            setText(target.value === "" ? null : target.value);
            onTyped(target, text ?? "");
          }}
          onKeyDown={onKeyDown}
          onPaste={attaching.onPaste}
        />
        {mentions.length > 0 && (
          <div className="px-3 py-1">
            <MentionChips
              mentions={mentions}
              onRemove={(removed) => setMentions(mentions.filter((mention) => mention !== removed))}
            />
          </div>
        )}
        {(attachments.length > 0 || uploads.length > 0) && (
          <Suspense>
            <DraftAttachments attaching={attaching} />
          </Suspense>
        )}
        <div className="flex items-center gap-1 px-1.5 pb-1.5">
          <IconButton
            size="small"
            label="Attach images or text files"
            icon={<Paperclip size={16} />}
            onClick={() => void chooseFiles().then((files) => attaching.add(files.map(({ file }) => file)))}
          />
          <IconButton
            size="small"
            label="Mention a note, task or memory"
            aria-haspopup="dialog"
            icon={<AtSign size={16} />}
            onClick={(event) => open(event.currentTarget)}
          />
          <DictationButton draftKey={draftKey} maxLength={MAX_MESSAGE_LENGTH} />
          <ModelPicker model={model} onChoose={onModel} />
          <span className="flex-1" />
          <IconButton
            type="submit"
            label={sendLabel(attaching, isAnswering)}
            icon={isAnswering ? <ListEnd size={18} /> : <ArrowUp size={18} />}
            disabled={isEmpty || uploads.length > 0}
          />
        </div>
      </div>
    </form>
  );
}

function placeholderOf({ attachments, isOver }: Attaching, isAnswering: boolean): string {
  if (isOver) return "Drop files to attach them";
  if (attachments.length > 0) return "Ask about what is attached";
  return isAnswering ? "Write what is next" : "Write a message";
}

function sendLabel({ uploads }: Attaching, isAnswering: boolean): string {
  if (uploads.some(({ error }) => error !== null)) return "A file was not attached: try again, or remove it";
  if (uploads.length > 0) return "Files are being uploaded";
  return isAnswering ? "Send after the answer" : "Send";
}
