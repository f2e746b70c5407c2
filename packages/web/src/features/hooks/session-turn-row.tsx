import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Brain, ChevronDown, ChevronRight } from "lucide-react";
import { useRef } from "react";
import { formatFullTimestamp } from "../../dates/date-format.ts";
import { useNow } from "../../dates/use-now.ts";
import { useFocusUnderCursor } from "../../lists/use-focus-under-cursor.ts";
import type { ListCursor } from "../../lists/use-list-cursor.ts";
import { formatCount } from "../../numbers/number-format.ts";
import { memoryPanel } from "../memory/memory.ts";
import { formatMoment } from "./moment-format.ts";
import { appearanceOf } from "./turn-kinds.ts";
import { foldInput, foldOutput, foldSaid, formatInput, type FoldedText } from "./turn-text.ts";
import type { HookSession } from "./use-hook-session.ts";
import type { SessionTurn } from "./use-session-turns.ts";

interface SessionTurnRowProps {
  /** Undefined while it is being loaded. */
  readonly turn: SessionTurn | undefined;
  readonly position: number;
  readonly turnCount: number;
  readonly cursor: ListCursor;
  readonly isUnfolded: boolean;
  /** Whether the page was opened to show this turn. */
  readonly isTarget: boolean;
  /** What was learnt from it. */
  readonly memories: HookSession["memories"];
}

/** One turn of a session: who, what and when. Enter unfolds it. */
export function SessionTurnRow(props: SessionTurnRowProps) {
  const { turn, position, turnCount, cursor, isUnfolded, isTarget, memories } = props;
  const ref = useRef<HTMLElement>(null);
  const id = String(position);
  const isCursor = cursor.cursorId === id;
  useFocusUnderCursor(ref, { isCursor, focusRequest: cursor.focusRequest, actions: cursor.actions });
  return (
    <article
      ref={ref}
      aria-label={`${turn === undefined ? "Turn" : nameOf(turn)}, ${formatCount(position)}`}
      aria-posinset={position}
      aria-setsize={turnCount}
      data-turn={position}
      tabIndex={isCursor || (cursor.cursorId === null && position === 1) ? 0 : -1}
      className={clsx(
        "relative flex gap-3 border-b border-border px-4 py-3 focus-visible:-outline-offset-2 max-md:gap-2 max-md:px-3",
        isTarget && "bg-accent-soft",
        isCursor && "before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent-text",
      )}
      onFocus={() => cursor.actions.touch(id)}
    >
      {turn === undefined ? (
        <div aria-hidden className="h-5 w-2/3 animate-pulse rounded-control bg-hover" />
      ) : (
        <Turn turn={turn} isUnfolded={isUnfolded} memories={memories} onToggle={() => cursor.actions.open(id)} />
      )}
    </article>
  );
}

function nameOf(turn: SessionTurn): string {
  return turn.toolName ?? appearanceOf(turn).label;
}

interface TurnProps {
  readonly turn: SessionTurn;
  readonly isUnfolded: boolean;
  readonly memories: HookSession["memories"];
  readonly onToggle: () => void;
}

function Turn({ turn, isUnfolded, memories, onToggle }: TurnProps) {
  const { Icon, color } = appearanceOf(turn);
  return (
    <>
      <Icon aria-hidden size={16} className={`mt-0.5 shrink-0 ${color}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <header className="flex items-baseline gap-2">
          <span
            className={clsx(
              "min-w-0 truncate text-13 font-medium",
              turn.kind === "user" || turn.hasFailed ? color : "text-strong",
            )}
          >
            {nameOf(turn)}
          </span>
          <span className="tabular ml-auto shrink-0 text-12 text-muted">
            {turn.occurredAt !== null && <Moment timestamp={turn.occurredAt} />} #{turn.position}
          </span>
        </header>
        <TurnText turn={turn} isUnfolded={isUnfolded} onToggle={onToggle} />
        {memories.map(({ id, content }) => (
          <Link
            key={id}
            to="/memory"
            search={memoryPanel(id)}
            className="mt-1 flex items-start gap-2 text-13 text-accent-text hover:underline"
          >
            <Brain aria-hidden size={14} className="mt-0.5 shrink-0" />
            <span className="line-clamp-2">Learnt here: {content}</span>
          </Link>
        ))}
      </div>
    </>
  );
}

function Moment({ timestamp }: { readonly timestamp: string }) {
  return (
    <time dateTime={timestamp} data-tooltip={formatFullTimestamp(timestamp)}>
      {formatMoment(timestamp, useNow())}
    </time>
  );
}

const PRE = "min-w-0 font-mono text-12 [overflow-wrap:anywhere] whitespace-pre-wrap";

function TurnText({ turn: { kind, text }, isUnfolded, onToggle }: Omit<TurnProps, "memories">) {
  const folded = foldedText(kind, text);
  const shown = isUnfolded ? (kind === "tool_call" ? formatInput(text) : text) : folded.text;
  const isSaid = kind === "user" || kind === "assistant";
  return (
    <>
      {shown !== "" &&
        (isSaid ? (
          <p className="[overflow-wrap:anywhere] whitespace-pre-wrap text-strong">{shown}</p>
        ) : (
          <pre className={clsx(PRE, isUnfolded ? "text-strong" : "text-normal")}>{shown}</pre>
        ))}
      {folded.isFolded && (
        <button
          type="button"
          aria-expanded={isUnfolded}
          className="flex items-center gap-1 self-start text-12 text-muted hover:text-strong touch:py-2"
          onClick={onToggle}
        >
          {isUnfolded ? <ChevronDown aria-hidden size={14} /> : <ChevronRight aria-hidden size={14} />}
          {isUnfolded ? "Show less" : `Show all ${formatCount(text.length)} characters`}
        </button>
      )}
    </>
  );
}

function foldedText(kind: SessionTurn["kind"], text: string): FoldedText {
  switch (kind) {
    case "user":
    case "assistant":
      return foldSaid(text);
    case "tool_result":
      return foldOutput(text);
    case "tool_call":
      return foldInput(text);
  }
}
