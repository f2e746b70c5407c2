import { useQuery } from "@tanstack/react-query";
import { AtSign } from "lucide-react";
import { useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Textarea } from "../../components/field.tsx";
import { floating } from "../../components/floating.ts";
import { OptionList } from "../../components/option-list.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { saveDraftText } from "../../drafts/use-text-saving.ts";
import { mentionableQuery } from "./task-comments.ts";

const MAX_LENGTH = 10_000;
const NONE: ReadonlySet<string> = new Set();

interface CommentFormProps {
  readonly label: string;
  readonly submitLabel: string;
  /** Under which the text is kept in this browser until it is saved. */
  readonly draftKey: string;
  /** The text as it is; empty for a new comment. */
  readonly saved: string;
  readonly autoFocus?: boolean;
  /** Saves the text. Rejects with a RequestError; the text then stays. */
  readonly onSubmit: (text: string) => Promise<void>;
  readonly onCancel?: () => void;
}

/** Where a comment is written, in Markdown. What is typed survives a reload, and stays until the server has it. */
export function CommentForm(props: CommentFormProps) {
  const { label, submitLabel, draftKey, saved, autoFocus = false, onSubmit, onCancel } = props;
  const client = useClient();
  const [draft, setDraft] = useDraft(draftKey);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const text = draft ?? saved;
  const isUnchanged = text.trim() === "" || text.trim() === saved.trim();
  const cancel = () => {
    setDraft(null);
    onCancel?.();
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isUnchanged || isBusy) return;
    setBusy(true);
    setFailure(null);
    // What is typed meanwhile stays a draft.
    saveDraftText(client, draftKey, (written) => onSubmit(written.trim()))
      .catch((error: unknown) => setFailure(toRequestError(error).message))
      .finally(() => setBusy(false));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
    else if (event.key === "Escape" && onCancel !== undefined && isUnchanged) cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const mention = (name: string) => {
    const textarea = form.current?.querySelector("textarea");
    const at = textarea?.selectionStart ?? text.length;
    const before = text.slice(0, at);
    setDraft(`${before}${/(^|\s)$/.test(before) ? "" : " "}@${name} ${text.slice(at)}`);
    textarea?.focus();
  };
  return (
    <form ref={form} className="flex flex-col gap-1.5" onSubmit={submit}>
      <Textarea
        aria-label={label}
        placeholder={label}
        rows={2}
        maxLength={MAX_LENGTH}
        autoFocus={autoFocus}
        value={text}
        className="min-h-16 [overflow-wrap:anywhere] touch:text-16"
        onChange={(event) => setDraft(event.target.value === saved ? null : event.target.value)}
        onKeyDown={onKeyDown}
      />
      {failure !== null && (
        <p role="alert" className="text-12 text-danger">
          Not saved: {failure}
        </p>
      )}
      <div className="flex items-center gap-2">
        <MentionButton onPick={mention} />
        <span className="min-w-0 flex-1 truncate text-12 text-muted">Markdown</span>
        {onCancel !== undefined && (
          <Button size="small" tone="ghost" onClick={cancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" size="small" tone="primary" isBusy={isBusy} disabled={isUnchanged}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

function MentionButton({ onPick }: { onPick: (name: string) => void }) {
  const client = useClient();
  // Read ahead: a list that fills after it has opened moves under the pointer.
  useQuery(mentionableQuery(client));
  return (
    <IconButton
      size="small"
      label="Mention somebody"
      aria-haspopup="dialog"
      icon={<AtSign size={14} />}
      onClick={(event) =>
        floating(client).openPopover(event.currentTarget, "Mention somebody", (close) => (
          <MentionPicker
            onPick={(name) => {
              close();
              onPick(name);
            }}
          />
        ))
      }
    />
  );
}

function MentionPicker({ onPick }: { onPick: (name: string) => void }) {
  const { data = [] } = useQuery(mentionableQuery(useClient()));
  return (
    <OptionList
      label="Mention somebody"
      options={data.map(({ id, name, kind }) => ({ value: id, label: kind === "agent" ? `${name} (agent)` : name }))}
      chosen={NONE}
      onPick={(id) => {
        const picked = data.find((one) => one.id === id);
        if (picked !== undefined) onPick(picked.name);
      }}
    />
  );
}
