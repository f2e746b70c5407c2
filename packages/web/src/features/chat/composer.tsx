import { ArrowUp } from "lucide-react";
import { useEffect, useRef, type FormEvent, type KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { IconButton } from "../../components/button.tsx";
import { GrowingTextarea } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { outbox } from "./outbox.ts";

const MAX_LENGTH = 100_000;

interface ComposerProps {
  /** Null to start a conversation. */
  readonly conversationId: string | null;
  readonly afterMessageId: string | null;
  readonly isAnswering: boolean;
}

/** The message field. Enter sends, Shift+Enter starts a new line. */
export function Composer({ conversationId, afterMessageId, isAnswering }: ComposerProps) {
  const client = useClient();
  const [text, setText] = useDraft(`chat.${conversationId ?? "new"}`);
  const formRef = useRef<HTMLFormElement>(null);
  const isPhone = useMediaQuery(PHONE);
  const isEmpty = (text ?? "").trim() === "";
  // An on-screen keyboard that opens unprompted would hide the conversation.
  useEffect(() => {
    if (!isPhone) formRef.current?.querySelector("textarea")?.focus();
  }, [isPhone]);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isEmpty || isAnswering) return;
    outbox(client).send({ text: text ?? "", conversationId, afterMessageId });
    setText(null);
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
      className="mx-auto flex w-full max-w-190 shrink-0 items-end gap-2 px-4 pt-1 pb-4 max-md:px-3 max-md:pb-3"
      onSubmit={submit}
    >
      <GrowingTextarea
        aria-label="Message"
        rows={1}
        maxLength={MAX_LENGTH}
        placeholder="Write a message"
        value={text ?? ""}
        className="max-h-60 min-h-10 flex-1 rounded-panel border border-control bg-surface px-3.5 py-2 text-strong touch:text-16"
        onChange={(event) => setText(event.target.value === "" ? null : event.target.value)}
        onKeyDown={onKeyDown}
      />
      <IconButton type="submit" label="Send" icon={<ArrowUp size={18} />} disabled={isEmpty || isAnswering} />
    </form>
  );
}
