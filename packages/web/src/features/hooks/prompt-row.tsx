import { clsx } from "clsx";
import { Bot, ChevronRight, LoaderCircle, Octagon, Pause, ShieldQuestion, ShieldX } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { formatFullTimestamp } from "../../dates/date-format.ts";
import { useNow } from "../../dates/use-now.ts";
import { formatDuration, formatMoney, formatTokens, pluralize } from "../../numbers/number-format.ts";
import { LearntHere } from "./learnt-here.tsx";
import { formatMoment } from "./moment-format.ts";
import { SessionArticle, type RowPlace } from "./session-article.tsx";
import type { SessionPrompt } from "./session-outline.ts";
import type { SessionActivity } from "./session-view-state.ts";
import type { HookSession } from "./use-hook-session.ts";

interface PromptRowProps {
  readonly place: RowPlace;
  readonly prompt: SessionPrompt;
  /** All of its text, if it is loaded. */
  readonly text: string | undefined;
  /** From 1; undefined for what was done before the first prompt. */
  readonly number: number | undefined;
  readonly isUnfolded: boolean;
  /** What the session does for it. */
  readonly activity: SessionActivity | undefined;
  /** What was learnt from the prompt itself. */
  readonly learnt: HookSession["memories"];
}

/** A prompt of a session: what was asked, and in a line what came of it. Enter shows the steps below it. */
export function PromptRow({ place, prompt, text, number, isUnfolded, activity, learnt }: PromptRowProps) {
  const shown = (isUnfolded ? text : undefined) ?? prompt.text;
  const name = number === undefined ? "Before the first prompt" : `Prompt ${number}`;
  return (
    <SessionArticle {...place} label={name} className="border-t border-border bg-surface px-4 py-3 max-md:px-3">
      <div className="flex gap-2">
        <button
          type="button"
          aria-expanded={isUnfolded}
          aria-label={`${isUnfolded ? "Hide" : "Show"} the steps of ${name.toLowerCase()}`}
          tabIndex={-1}
          className="-m-1 flex size-7 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-strong touch:size-9"
          onClick={() => place.cursor.actions.open(place.rowId)}
        >
          <ChevronRight aria-hidden size={16} className={isUnfolded ? "rotate-90" : ""} />
        </button>
        <div className="flex min-w-0 flex-1 flex-col gap-1.5">
          <p
            className={clsx(
              "[overflow-wrap:anywhere] whitespace-pre-wrap",
              number === undefined ? "text-muted" : "font-medium text-strong",
              !isUnfolded && "line-clamp-3",
            )}
          >
            {(isUnfolded ? shown : shown?.replace(/\n\s*\n/g, "\n"))?.trim() || name}
            {isUnfolded && text === undefined && prompt.isCut && "…"}
          </p>
          {prompt.isBlocked && (
            <span className="flex items-center gap-1.5 text-13 font-medium text-danger">
              <ShieldX aria-hidden size={14} className="shrink-0" />
              Kept from the assistant
            </span>
          )}
          <Facts prompt={prompt} activity={activity} />
          {!isUnfolded && prompt.answer !== null && (
            <p className="flex gap-1.5 text-13 text-normal">
              <Bot aria-label="Assistant" size={14} className="mt-0.5 shrink-0 text-muted" />
              <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{plainText(prompt.answer)}</span>
            </p>
          )}
          <LearntHere memories={learnt} />
        </div>
      </div>
    </SessionArticle>
  );
}

/** Markdown in a line, without most of its marks. */
function plainText(markdown: string): string {
  return markdown.replace(/^(?:#+|>|[-*+]|\d+\.) /gm, "").replace(/[`*]/g, "");
}

const ACTIVITIES = {
  work: { label: "At work", Icon: LoaderCircle, className: "text-info" },
  decision: { label: "Waits for your decision", Icon: ShieldQuestion, className: "text-warning" },
  pause: { label: "Paused", Icon: Pause, className: "text-warning" },
  stop: { label: "Stopped", Icon: Octagon, className: "text-muted" },
} as const;

function Activity({ activity }: { readonly activity: SessionActivity }) {
  const { label, Icon, className } = ACTIVITIES[activity];
  return (
    <span className={clsx("flex items-center gap-1 font-medium", className)}>
      <Icon aria-hidden size={12} className={activity === "work" ? "motion-safe:animate-spin" : ""} />
      {label}
    </span>
  );
}

/** When it was, how long it took, what it did and what it cost. */
function Facts({ prompt, activity }: Pick<PromptRowProps, "prompt" | "activity">) {
  const { startedAt, lastAt, calls, failed, blocked, asked, changes, usage } = prompt;
  const now = useNow();
  const lastedMs = startedAt === null || lastAt === null ? 0 : Date.parse(lastAt) - Date.parse(startedAt);
  const facts: readonly (ReactNode | false)[] = [
    activity !== undefined && <Activity activity={activity} />,
    startedAt !== null && (
      <time dateTime={startedAt} data-tooltip={formatFullTimestamp(startedAt)}>
        {formatMoment(startedAt, now)}
      </time>
    ),
    lastedMs > 0 && formatDuration(lastedMs),
    calls > 0 && pluralize(calls, "call"),
    failed > 0 && <span className="text-danger">{failed} failed</span>,
    blocked > 0 && <span className="font-medium text-danger">{blocked} blocked</span>,
    asked > 0 && <span className="text-warning">{asked} asked about</span>,
    changes !== null && pluralize(changes.total, "file"),
    usage !== null && `${formatTokens(usage.totalTokens)} tokens`,
    usage !== null && usage.costUsd !== null && formatMoney(usage.costUsd),
  ];
  return (
    <p className="tabular flex flex-wrap items-center gap-x-2 gap-y-0.5 text-12 text-muted">
      {facts
        .filter((fact) => fact !== false)
        .map((fact, index) => (
          <Fragment key={index}>
            {index > 0 && <span aria-hidden>·</span>}
            {fact}
          </Fragment>
        ))}
    </p>
  );
}
