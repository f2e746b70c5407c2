import { Link } from "@tanstack/react-router";
import { ArrowUp, SquareTerminal } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/states.tsx";
import { NoMatch, ResourceList } from "../../lists/resource-list.tsx";
import { useRowHeight } from "../../lists/row-height.ts";
import { pluralize } from "../../numbers/number-format.ts";
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

/** The events, newest first. New ones appear at the top unless the user is reading further down. */
export function HookTimelineList({ state: { search, change }, panel }: HookTimelineListProps) {
  const timeline = useHookTimeline(search);
  const { rows: events } = timeline;
  const reading = useReadingPosition(events);
  const { shown, waiting } = useMemo(() => holdBack(events, reading.heldId), [events, reading.heldId]);
  return (
    <div
      className="flex min-h-0 flex-1 flex-col"
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && reading.setIsHovered(true)}
      onPointerLeave={() => reading.setIsHovered(false)}
    >
      <ResourceList
        label="Events"
        state={{ ...timeline, rows: shown }}
        heightOf={useEventRowHeight()}
        panel={panel}
        onScroll={reading.onScroll}
        topRequest={reading.topRequest}
        renderRow={(event, place) => <HookEventRow event={event} place={place} hasSession />}
        empty={
          isFiltering(search) ? (
            <NoMatch title="No matching events" onClear={() => change(NO_HOOK_FILTER)}>
              No recorded event matches the filter.
            </NoMatch>
          ) : (
            <NoEvents />
          )
        }
      >
        {() => waiting > 0 && <NewEventsButton count={waiting} onClick={reading.catchUp} />}
      </ResourceList>
    </div>
  );
}

function NewEventsButton({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <Button
      size="small"
      tone="primary"
      icon={<ArrowUp aria-hidden size={14} />}
      className="animate-float absolute top-2 left-1/2 z-10 -translate-x-1/2 shadow-float"
      onClick={onClick}
    >
      {pluralize(count, "new event")}
    </Button>
  );
}

/** A blocked call has a second line for the reason. */
export function useEventRowHeight(): (event: HookEvent) => number {
  const rowHeight = useRowHeight();
  return useCallback((event) => (event.blocked ? Math.max(rowHeight, BLOCKED_ROW_PX) : rowHeight), [rowHeight]);
}

/**
 * Holds back new events while the pointer is over the list or it is scrolled, so that nothing moves under the reader.
 */
function useReadingPosition(events: readonly HookEvent[]) {
  const [heldId, setHeldId] = useState<string | null>(null);
  const [isScrolled, setIsScrolled] = useState(false);
  const [isHovered, setIsHovered] = useState(false);
  const [topRequest, setTopRequest] = useState(0);
  const isHeld = isScrolled || isHovered;
  const newest = events[0]?.id ?? null;
  if (isHeld && heldId === null && newest !== null) setHeldId(newest);
  if (!isHeld && heldId !== null) setHeldId(null);
  const onScroll = useCallback((offset: number) => setIsScrolled(offset > 0), []);
  return {
    heldId,
    setIsHovered,
    onScroll,
    topRequest,
    catchUp: () => {
      setHeldId(newest);
      setTopRequest((count) => count + 1);
    },
  };
}

/** What to do so that sessions and their events are recorded. */
export function NoEvents() {
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
