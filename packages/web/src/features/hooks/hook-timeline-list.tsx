import { Link } from "@tanstack/react-router";
import { ArrowUp, SearchX, SquareTerminal } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useRowHeight } from "../../lists/row-height.ts";
import { useListCursor } from "../../lists/use-list-cursor.ts";
import { useListShortcuts } from "../../lists/use-list-shortcuts.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { sayCountOf } from "../../numbers/number-wording.ts";
import type { ItemPanel } from "../shell/item-panel.ts";
import { HookEventRow } from "./hook-event-row.tsx";
import type { HookEvent } from "./hook-event.ts";
import { isFiltering, NO_HOOK_FILTER } from "./hook-search.ts";
import { holdBack } from "./timeline.ts";
import type { HookSearchState } from "./use-hook-search.ts";
import { useHookTimeline } from "./use-hook-timeline.ts";

const BLOCKED_ROW_PX = 56;

interface HookTimelineListProps {
  readonly state: HookSearchState;
  readonly panel: ItemPanel;
}

/** The events, latest first. New ones appear on top while nobody is reading further down. */
export function HookTimelineList({ state: { search, change }, panel }: HookTimelineListProps) {
  const { events, isLoading, error, isLoadingMore, loadMore, retry } = useHookTimeline(search);
  const reading = useReadingPlace(events);
  const { shown, waiting } = useMemo(() => holdBack(events, reading.heldId), [events, reading.heldId]);
  const heightOf = useEventRowHeight();
  const ids = useMemo(() => shown.map(idOf), [shown]);
  const cursor = useListCursor(ids, { open: panel.open, isPanelOpen: panel.openId !== undefined });
  useListShortcuts(cursor, {});

  if (isLoading) return <SkeletonRows />;
  if (error !== null) return <ErrorState title="The events could not be loaded" error={error} onRetry={retry} />;
  if (events.length === 0) {
    return isFiltering(search) ? <NoMatch onClear={() => change(NO_HOOK_FILTER)} /> : <NoEvents />;
  }
  return (
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && reading.setIsPointed(true)}
      onPointerLeave={() => reading.setIsPointed(false)}
    >
      {waiting > 0 && (
        <Button
          size="small"
          tone="primary"
          icon={<ArrowUp aria-hidden size={14} />}
          className="animate-float absolute top-2 left-1/2 z-10 -translate-x-1/2 shadow-float"
          onClick={reading.catchUp}
        >
          {sayCountOf(waiting, "new event")}
        </Button>
      )}
      <VirtualList
        label="Events"
        items={shown}
        idOf={idOf}
        heightOf={heightOf}
        cursorId={cursor.cursorId}
        focusRequest={cursor.focusRequest}
        onEndNear={loadMore}
        onScroll={reading.onScroll}
        topRequest={reading.topRequest}
        renderRow={(event, rowIndex) => (
          <HookEventRow
            event={event}
            rowIndex={rowIndex}
            cursor={cursor}
            isOpen={event.id === panel.openId}
            hasSession
          />
        )}
        footer={isLoadingMore && <p className="px-4 py-3 text-13 text-muted">Loading earlier events…</p>}
      />
    </div>
  );
}

/** A blocked call has a second line, which says why. */
export function useEventRowHeight(): (event: HookEvent) => number {
  const rowHeight = useRowHeight();
  return useCallback((event) => (event.blocked ? Math.max(rowHeight, BLOCKED_ROW_PX) : rowHeight), [rowHeight]);
}

/** Where the reader is. While the pointer is on the list or it is scrolled, nothing may move in it. */
function useReadingPlace(events: readonly HookEvent[]) {
  const [heldId, setHeldId] = useState<string | null>(null);
  const [isScrolled, setIsScrolled] = useState(false);
  const [isPointed, setIsPointed] = useState(false);
  const [topRequest, setTopRequest] = useState(0);
  const isHeld = isScrolled || isPointed;
  const newest = events[0]?.id ?? null;
  if (isHeld && heldId === null && newest !== null) setHeldId(newest);
  if (!isHeld && heldId !== null) setHeldId(null);
  const onScroll = useCallback((offset: number) => setIsScrolled(offset > 0), []);
  return {
    heldId,
    setIsPointed,
    onScroll,
    topRequest,
    catchUp: () => {
      setHeldId(newest);
      setTopRequest((count) => count + 1);
    },
  };
}

function NoEvents() {
  return (
    <EmptyState
      icon={<SquareTerminal size={20} />}
      title="No events yet"
      action={
        <Link
          to="/connect"
          className="inline-flex h-(--control-height) items-center rounded-control bg-accent px-3 font-medium text-on-accent hover:bg-accent-hover"
        >
          Connect an assistant
        </Link>
      }
    >
      Install the hooks in your coding assistant, and every tool call, prompt and session appears here as it happens.
    </EmptyState>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title="No event matches"
      action={<Button onClick={onClear}>Clear the filter</Button>}
    >
      Nothing that was recorded fits the filter above.
    </EmptyState>
  );
}

function idOf(event: HookEvent): string {
  return event.id;
}
