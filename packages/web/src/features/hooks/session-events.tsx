import { useMemo } from "react";
import { useListCursor } from "../../lists/use-list-cursor.ts";
import { useListShortcuts } from "../../lists/use-list-shortcuts.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import type { ItemPanel } from "../shell/item-panel.ts";
import { HookEventRow } from "./hook-event-row.tsx";
import type { HookEvent } from "./hook-event.ts";
import { useEventRowHeight } from "./hook-timeline-list.tsx";

interface SessionEventsProps {
  readonly events: readonly HookEvent[];
  readonly panel: ItemPanel;
  readonly isLoadingMore: boolean;
  readonly onEndNear: () => void;
}

/** A session's events in the order in which they happened. */
export function SessionEvents({ events, panel, isLoadingMore, onEndNear }: SessionEventsProps) {
  const heightOf = useEventRowHeight();
  const ids = useMemo(() => events.map(idOf), [events]);
  const cursor = useListCursor(ids, { open: panel.open, isPanelOpen: panel.openId !== undefined });
  useListShortcuts(cursor, {});
  if (events.length === 0) {
    return <p className="flex-1 px-4 py-6 text-13 text-muted">No event of this session was recorded.</p>;
  }
  return (
    <VirtualList
      label="Events of the session"
      items={events}
      idOf={idOf}
      heightOf={heightOf}
      cursorId={cursor.cursorId}
      focusRequest={cursor.focusRequest}
      onEndNear={onEndNear}
      renderRow={(event, rowIndex) => (
        <HookEventRow
          event={event}
          rowIndex={rowIndex}
          cursor={cursor}
          isOpen={event.id === panel.openId}
          hasSession={false}
        />
      )}
      footer={isLoadingMore && <p className="px-4 py-3 text-13 text-muted">Loading later events…</p>}
    />
  );
}

function idOf(event: HookEvent): string {
  return event.id;
}
