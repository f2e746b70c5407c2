import { useVirtualizer } from "@tanstack/react-virtual";
import { MessagesSquare } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { EmptyState, ErrorState } from "../../components/states.tsx";
import { useListCursor } from "../../lists/use-list-cursor.ts";
import { useListShortcuts } from "../../lists/use-list-shortcuts.ts";
import { useRememberedScroll } from "../shell/remembered-scroll.ts";
import { SessionTurnRow } from "./session-turn-row.tsx";
import type { HookSession } from "./use-hook-session.ts";
import { useSessionTurns } from "./use-session-turns.ts";

const LABEL = "Turns of the session";
const ESTIMATED_TURN_PX = 84;
const OVERSCAN_TURNS = 8;
/** Turns that are loaded before and after those that are visible. */
const LOADED_AROUND = 20;

interface SessionTranscriptProps {
  readonly session: HookSession;
  /** The position of the turn to show first. */
  readonly target: number | undefined;
}

/** What was said and done in a session, turn by turn. */
export function SessionTranscript({ session, target }: SessionTranscriptProps) {
  if (session.transcript === null) {
    return (
      <div className="min-w-0 flex-1">
        <EmptyState icon={<MessagesSquare size={20} />} title="No transcript">
          The hooks send it when the session ends or its context is compacted. It is deleted some time after that.
        </EmptyState>
      </div>
    );
  }
  // Another target starts over, at that turn.
  return <Turns key={target} session={session} transcript={session.transcript} target={target} />;
}

interface TurnsProps extends SessionTranscriptProps {
  readonly transcript: NonNullable<HookSession["transcript"]>;
}

function Turns({ session: { sessionId, memories }, transcript: { turnCount, isComplete }, target }: TurnsProps) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const { initialOffset, remember } = useRememberedScroll(LABEL);
  const virtualizer = useVirtualizer({
    count: turnCount,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => ESTIMATED_TURN_PX,
    overscan: OVERSCAN_TURNS,
    initialOffset: target === undefined ? initialOffset : 0,
  });
  const rows = virtualizer.getVirtualItems();
  const first = (rows[0]?.index ?? 0) + 1 - LOADED_AROUND;
  const last = (rows.at(-1)?.index ?? 0) + 1 + LOADED_AROUND;
  const turns = useSessionTurns(sessionId, turnCount, { first, last });
  const { unfolded, toggle } = useUnfolded();
  const ids = useMemo(() => Array.from({ length: turnCount }, (_, index) => String(index + 1)), [turnCount]);
  const cursor = useListCursor(ids, { open: toggle, isPanelOpen: false });
  useListShortcuts(cursor, {});
  const memoriesByTurn = useMemo(() => Map.groupBy(memories, ({ sourceTurn }) => sourceTurn), [memories]);

  const { cursorId, focusRequest, actions } = cursor;
  useEffect(() => {
    if (focusRequest > 0 && cursorId !== null) virtualizer.scrollToIndex(Number(cursorId) - 1, { align: "auto" });
  }, [virtualizer, cursorId, focusRequest]);
  useEffect(() => {
    if (target === undefined) return;
    actions.touch(String(target));
    virtualizer.scrollToIndex(target - 1, { align: "start" });
  }, [virtualizer, actions, target]);

  if (turns.error !== null) {
    return <ErrorState title="The transcript could not be loaded" error={turns.error} onRetry={turns.retry} />;
  }
  return (
    <div
      ref={scrollRef}
      className="min-h-0 min-w-0 flex-1 overflow-y-auto overscroll-contain pb-20 [contain:strict]"
      onScroll={(event) => remember(event.currentTarget.scrollTop)}
    >
      <div role="feed" aria-label={LABEL} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ key, index, start }) => (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            <SessionTurnRow
              turn={turns.turnAt(index + 1)}
              position={index + 1}
              turnCount={turnCount}
              cursor={cursor}
              isUnfolded={unfolded.has(String(index + 1))}
              isTarget={index + 1 === target}
              memories={memoriesByTurn.get(index + 1) ?? []}
            />
          </div>
        ))}
      </div>
      {!isComplete && (
        <p className="px-4 py-3 text-13 text-muted">The session went on; the rest was too long to keep.</p>
      )}
    </div>
  );
}

/** Which turns are shown in full. */
function useUnfolded(): { unfolded: ReadonlySet<string>; toggle: (id: string) => void } {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => {
    setUnfolded((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  return { unfolded, toggle };
}
