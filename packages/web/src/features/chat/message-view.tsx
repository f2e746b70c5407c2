import { clsx } from "clsx";
import { Suspense, useState, type ComponentProps } from "react";
import { lazyPart } from "../../components/lazy-part.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { formatDuration, formatCost } from "../../numbers/number-format.ts";
import { RunSteps } from "../agents/run-steps.tsx";
import { AttachmentChips } from "./attachment-chips.tsx";
import type { Attachment } from "./attachments.ts";
import { textOf, type Message } from "./conversation-log.ts";
import { MentionChips } from "./mention-chips.tsx";
import type { Mention } from "./mentions.ts";
import { MessageActions } from "./message-actions.tsx";
import { MessageEditor } from "./message-editor.tsx";

const MarkdownText = lazyPart(() => import("../agents/markdown-text.tsx"));
const ToolChange = lazyPart(() => import("./tool-change.tsx"));

/** Marks the message that was looked for. */
const FOUND = "rounded-panel outline-2 outline-offset-8 outline-accent/50";

interface MessageViewProps extends Omit<ComponentProps<typeof MessageActions>, "text" | "onEdit"> {
  readonly message: Message;
  /** Whether it is what a search has found. */
  readonly isShown: boolean;
  /** Whether it is the last one, which shows what its calls have changed. */
  readonly isRecent: boolean;
  /** Whether more of it is still to come. */
  readonly isGrowing: boolean;
  /** Whether its last call awaits approval. */
  readonly isWaiting: boolean;
  /** Sends a message in other words; undefined while an answer is written. */
  readonly onResend: ((text: string, attachments: readonly Attachment[]) => void) | undefined;
}

/** One message: what the user wrote, or what the model said and did. */
export function MessageView({ onResend, isRecent, isGrowing, isWaiting, isShown, ...actions }: MessageViewProps) {
  const { message } = actions;
  const { id, role, content, costUsd, isCostKnown, durationMs, model, createdAt } = message;
  const text = textOf(content);
  if (role === "user") {
    return <Question {...actions} text={text} isShown={isShown} onResend={onResend} />;
  }
  return (
    <article
      aria-label="Answer"
      data-message={id}
      aria-busy={isGrowing}
      className={clsx("flex min-w-0 flex-col gap-3", isShown && FOUND)}
    >
      <RunSteps
        steps={content}
        isRunning={isGrowing}
        isWaiting={isWaiting}
        renderBelow={(call, result) => (
          <Suspense>
            <ToolChange messageId={id} call={call} result={result} isRecent={isRecent} />
          </Suspense>
        )}
      />
      {isGrowing && content.length === 0 && (
        <p role="status" className="animate-skeleton text-muted">
          Thinking…
        </p>
      )}
      {!isGrowing && (
        <footer className="tabular -my-1 flex flex-wrap items-center gap-x-3 text-12 text-muted">
          <TimeAgo timestamp={createdAt} />
          {durationMs !== null && <span>{formatDuration(durationMs)}</span>}
          {model !== null && <span className="truncate">{model}</span>}
          {costUsd !== null && <span>{formatCost(costUsd, isCostKnown)}</span>}
          <span className="flex items-center">
            <MessageActions {...actions} text={text} onEdit={undefined} />
          </span>
        </footer>
      )}
    </article>
  );
}

type QuestionProps = Omit<ComponentProps<typeof MessageActions>, "onEdit"> &
  Pick<MessageViewProps, "isShown" | "onResend">;

function Question({ isShown, onResend, ...actions }: QuestionProps) {
  const [isEditing, setEditing] = useState(false);
  const { message, text } = actions;
  if (isEditing && onResend !== undefined) {
    return (
      <MessageEditor
        text={text}
        attachments={message.attachments}
        onCancel={() => setEditing(false)}
        onSend={(next, attachments) => {
          setEditing(false);
          onResend(next, attachments);
        }}
      />
    );
  }
  return (
    <article
      aria-label="You"
      data-message={message.id}
      className={clsx("group flex flex-col items-end gap-1", isShown && FOUND)}
    >
      <SentText text={text} mentions={message.mentions} attachments={message.attachments} />
      <div className="-mb-4 flex items-center [@media(hover:hover)]:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-[[role=group]]:opacity-100">
        <MessageActions {...actions} onEdit={onResend && (() => setEditing(true))} />
      </div>
    </article>
  );
}

interface SentTextProps {
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly attachments: readonly Attachment[];
}

/** What a user wrote, line by line, and what came with it. */
export function SentText({ text, mentions, attachments }: SentTextProps) {
  return (
    <div className="flex max-w-150 min-w-0 flex-col gap-2 rounded-panel bg-pressed px-3.5 py-2 [overflow-wrap:anywhere] text-strong">
      {text !== "" && (
        <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
          <MarkdownText text={text} keepsLines />
        </Suspense>
      )}
      <MentionChips mentions={mentions} />
      <AttachmentChips attachments={attachments} />
    </div>
  );
}
