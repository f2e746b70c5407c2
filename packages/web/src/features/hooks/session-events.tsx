import { ResourceList } from "../../lists/resource-list.tsx";
import type { ItemPanel } from "../shell/item-panel.ts";
import { HookEventRow } from "./hook-event-row.tsx";
import { useEventRowHeight } from "./hook-timeline-list.tsx";
import { useSessionEvents } from "./use-hook-session.ts";

interface SessionEventsProps {
  readonly sessionId: string;
  readonly panel: ItemPanel;
}

/** A session's events in chronological order. */
export function SessionEvents({ sessionId, panel }: SessionEventsProps) {
  return (
    <ResourceList
      label="Events of the session"
      state={useSessionEvents(sessionId)}
      heightOf={useEventRowHeight()}
      panel={panel}
      renderRow={(event, place) => <HookEventRow event={event} place={place} hasSession={false} />}
      empty={<p className="flex-1 px-4 py-6 text-13 text-muted">No events were recorded in this session.</p>}
    />
  );
}
