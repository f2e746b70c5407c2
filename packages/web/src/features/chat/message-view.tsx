import { clsx } from "clsx";
import { Suspense } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { formatDuration, formatCost } from "../../numbers/number-format.ts";
import { RunSteps } from "../agents/run-steps.tsx";
import { textOf, type Message } from "./conversation-log.ts";

const MarkdownText = lazyPart(() => import("../agents/markdown-text.tsx"));

/** Marks the message that was looked for. */
const FOUND = "rounded-panel outline-2 outline-offset-8 outline-accent/50";

interface MessageViewProps {
  readonly message: Message;
  /** Whether it is what a search has found. */
  readonly isShown: boolean;
  /** Whether more of it is still to come. */
  readonly isGrowing: boolean;
  /** Whether its last call awaits approval. */
  readonly isWaiting: boolean;
}

/** One message: what the user wrote, or what the model said and did. */
export function MessageView({ message, isShown, isGrowing, isWaiting }: MessageViewProps) {
  const { role, content, costUsd, isCostKnown, durationMs, model, createdAt } = message;
  const text = textOf(content);
  if (role === "user") {
    return (
      <article aria-label="You" data-message={message.id} className={clsx("flex justify-end", isShown && FOUND)}>
        <SentText text={text} />
      </article>
    );
  }
  return (
    <article
      aria-label="Answer"
      data-message={message.id}
      aria-busy={isGrowing}
      className={clsx("flex min-w-0 flex-col gap-3", isShown && FOUND)}
    >
      <RunSteps steps={content} isRunning={isGrowing} isWaiting={isWaiting} />
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
          {text !== "" && <CopyButton isBare what="the answer" text={text} />}
        </footer>
      )}
    </article>
  );
}

/** What a user wrote, line by line. */
export function SentText({ text }: { readonly text: string }) {
  return (
    <div className="max-w-150 min-w-0 rounded-panel bg-pressed px-3.5 py-2 [overflow-wrap:anywhere] text-strong">
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <MarkdownText text={text} keepsLines />
      </Suspense>
    </div>
  );
}
