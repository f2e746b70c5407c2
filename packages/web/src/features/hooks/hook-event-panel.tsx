import { Link } from "@tanstack/react-router";
import { SearchX, ShieldX } from "lucide-react";
import type { ReactNode } from "react";
import { useRow } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { EmptyState } from "../../components/states.tsx";
import { formatFullTimestamp } from "../../dates/date-format.ts";
import { formatDuration } from "../../numbers/number-format.ts";
import { PanelHeader } from "../shell/side-panel.tsx";
import { hookEventCollection } from "./hook-event-collection.ts";
import { HookEventIcon } from "./hook-event-icon.tsx";
import { HOOK_EVENT_LABELS, matchedRulesOf, type HookEvent } from "./hook-event.ts";

interface HookEventPanelProps {
  readonly eventId: string;
  readonly onClose: () => void;
}

/** All recorded details of one event. */
export default function HookEventPanel({ eventId, onClose }: HookEventPanelProps) {
  const client = useClient();
  const event = useRow(hookEventCollection(client), eventId);
  return (
    <>
      <PanelHeader title="Event" onClose={onClose} />
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {event === undefined ? (
          <EmptyState icon={<SearchX size={20} />} title="This event is not loaded">
            It may be further down the timeline, or hidden by the filter.
          </EmptyState>
        ) : (
          <EventDetails event={event} />
        )}
      </div>
    </>
  );
}

function EventDetails({ event }: { event: HookEvent }) {
  const { eventType, toolName, blocked, createdAt } = event;
  return (
    <div className="flex flex-col gap-5 px-5 py-5">
      <header className="flex flex-col gap-1">
        <h2 className="flex items-center gap-2 text-20 font-semibold text-strong">
          <HookEventIcon event={event} />
          {toolName ?? HOOK_EVENT_LABELS[eventType]}
        </h2>
        <p className="text-13 text-muted">
          {HOOK_EVENT_LABELS[eventType]}, <TimeAgo timestamp={createdAt} />
        </p>
      </header>
      {blocked && <BlockedCall event={event} />}
      <Facts event={event} />
      <EventData event={event} />
    </div>
  );
}

/** Why the call was blocked, and by which rules. */
function BlockedCall({ event }: { event: HookEvent }) {
  const rules = matchedRulesOf(event);
  return (
    <section aria-label="Blocked" className="flex flex-col gap-2 rounded-panel border border-danger/30 bg-danger/8 p-3">
      <p className="flex items-center gap-2 font-semibold text-danger">
        <ShieldX aria-hidden size={16} />
        Blocked
      </p>
      <p className="[overflow-wrap:anywhere] text-strong">{event.blockReason ?? "No reason was recorded."}</p>
      {rules.map(({ id, decision, subject }) => (
        <p key={id} className="text-13 text-strong">
          Rule <code className="font-mono text-12">{id}</code> ({decision}) on{" "}
          <code className="font-mono text-12 [overflow-wrap:anywhere]">{subject}</code>
        </p>
      ))}
    </section>
  );
}

function Facts({ event }: { event: HookEvent }) {
  const { sessionId, projectDir, toolMatcher, exitCode, durationMs, hookScript, createdAt } = event;
  return (
    <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-2 text-13">
      {sessionId !== null && (
        <Fact name="Session">
          <Link
            to="/hooks/sessions/$sessionId"
            params={{ sessionId }}
            className="font-mono text-12 text-accent-text hover:underline"
          >
            {sessionId}
          </Link>
        </Fact>
      )}
      {projectDir !== null && <Fact name="Project">{projectDir}</Fact>}
      <Fact name="Time">{formatFullTimestamp(createdAt)}</Fact>
      {durationMs !== null && <Fact name="Took">{formatDuration(durationMs)}</Fact>}
      {exitCode !== null && <Fact name="Exit code">{exitCode}</Fact>}
      {toolMatcher !== null && <Fact name="Matcher">{toolMatcher}</Fact>}
      {hookScript !== null && <Fact name="Hook">{hookScript}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="[overflow-wrap:anywhere] text-strong">{children}</dd>
    </>
  );
}

function EventData({ event: { eventData } }: { event: HookEvent }) {
  if (eventData === null || Object.keys(eventData).length === 0) return null;
  const json = JSON.stringify(eventData, null, 2);
  return (
    <section aria-labelledby="event-data" className="flex flex-col gap-2 border-t border-border pt-4">
      <div className="flex items-center justify-between">
        <h3 id="event-data" className="text-13 font-medium text-strong">
          Recorded data
        </h3>
        <CopyButton text={json} what="the recorded data" />
      </div>
      <pre
        // Focusable, so that it can be scrolled by keyboard.
        tabIndex={0}
        className="max-h-120 overflow-auto rounded-control border border-border bg-background p-3 font-mono text-12 [overflow-wrap:anywhere] whitespace-pre-wrap text-strong"
      >
        {json}
      </pre>
    </section>
  );
}
