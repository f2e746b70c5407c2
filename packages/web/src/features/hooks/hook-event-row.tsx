import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { formatFullTimestamp } from "../../dates/date-format.ts";
import { useNow } from "../../dates/use-now.ts";
import { ListRow } from "../../lists/list-row.tsx";
import type { RowPosition } from "../../lists/resource-list.tsx";
import { formatDuration } from "../../numbers/number-format.ts";
import { HookEventIcon } from "./hook-event-icon.tsx";
import { HOOK_EVENT_LABELS, shortSessionId, summaryOf, type HookEvent } from "./hook-event.ts";
import { formatMoment } from "./moment-format.ts";

const FRESH_MS = 8_000;

interface HookEventRowProps {
  readonly event: HookEvent;
  readonly place: RowPosition;
  /** Whether to show the session; on the page of a session it would be the same in every row. */
  readonly hasSession: boolean;
}

/** One event of an assistant. A blocked call is highlighted and shows the reason. */
export function HookEventRow({ event, place, hasSession }: HookEventRowProps) {
  const isPhone = useMediaQuery(PHONE);
  const now = useNow();
  const isFresh = now.getTime() - Date.parse(event.createdAt) < FRESH_MS;
  return (
    <ListRow
      id={event.id}
      name={event.toolName ?? HOOK_EVENT_LABELS[event.eventType]}
      {...place}
      className={event.blocked ? "bg-danger/8 pl-4" : isFresh ? "animate-fresh pl-4" : "pl-4"}
    >
      <div role="gridcell" className="flex h-full items-center md:contents max-md:items-start max-md:pt-3">
        <HookEventIcon event={event} />
      </div>
      {isPhone ? <PhoneCells event={event} now={now} /> : <Cells event={event} now={now} hasSession={hasSession} />}
    </ListRow>
  );
}

function Cells({ event, now, hasSession }: { event: HookEvent; now: Date; hasSession: boolean }) {
  const { eventType, toolName, sessionId, durationMs, createdAt, blocked } = event;
  return (
    <>
      <div role="gridcell" className="w-32 shrink-0 truncate text-13">
        {HOOK_EVENT_LABELS[eventType]}
      </div>
      <div
        role="gridcell"
        className="w-44 shrink-0 truncate font-medium text-strong"
        data-tooltip={toolName ?? undefined}
      >
        {toolName}
      </div>
      <div role="gridcell" className="min-w-0 flex-1">
        <Summary event={event} />
        {blocked && <BlockReason event={event} />}
      </div>
      {hasSession && (
        <div role="gridcell" className="w-20 shrink-0 truncate font-mono text-12 text-muted">
          {sessionId !== null && shortSessionId(sessionId)}
        </div>
      )}
      <div role="gridcell" className="tabular w-16 shrink-0 text-right text-12 text-muted">
        {durationMs !== null && formatDuration(durationMs)}
      </div>
      <div role="gridcell" className="tabular w-28 shrink-0 text-right text-12 text-muted">
        <time dateTime={createdAt} data-tooltip={formatFullTimestamp(createdAt)}>
          {formatMoment(createdAt, now)}
        </time>
      </div>
    </>
  );
}

function PhoneCells({ event, now }: { event: HookEvent; now: Date }) {
  const { eventType, toolName, createdAt, blocked } = event;
  return (
    <div role="gridcell" className="flex min-w-0 flex-1 flex-col justify-center">
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate font-medium text-strong">
          {toolName ?? HOOK_EVENT_LABELS[eventType]}
        </span>
        <time dateTime={createdAt} className="tabular shrink-0 text-12 text-muted">
          {formatMoment(createdAt, now)}
        </time>
      </span>
      {blocked ? <BlockReason event={event} /> : <Summary event={event} />}
    </div>
  );
}

function Summary({ event }: { event: HookEvent }) {
  return <span className="block truncate font-mono text-12 text-normal">{summaryOf(event)}</span>;
}

function BlockReason({ event: { blockReason } }: { event: HookEvent }) {
  return (
    <span className="block truncate text-13 font-medium text-danger">
      Blocked{blockReason === null ? "" : `: ${blockReason}`}
    </span>
  );
}
