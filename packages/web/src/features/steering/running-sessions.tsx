import { Link } from "@tanstack/react-router";
import { SquareTerminal } from "lucide-react";
import { assistantName } from "@workspace/core/assistant-names";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { toolLabel } from "../../components/tool-label.ts";
import { formatCount } from "../../numbers/number-format.ts";
import { shortSessionId } from "../hooks/hook-event.ts";
import { SessionControls } from "./session-controls.tsx";
import { type RunningSession, useRunningSessions } from "./steering.ts";

/** The sessions of assistants that run at the moment, each with its controls. */
export default function RunningSessions() {
  const { rows, isLoading, error, hasMore, isLoadingMore, loadMore, retry } = useRunningSessions();
  if (isLoading) return <SkeletonRows />;
  if (error !== null) return <ErrorState title="The sessions could not be loaded" error={error} onRetry={retry} />;
  if (rows.length === 0)
    return (
      <EmptyState icon={<SquareTerminal size={24} />} title="No session is running">
        Sessions that did something within the last hour are listed here. You can tell them something, pause and stop
        them.
      </EmptyState>
    );
  return (
    <>
      <ul aria-label="Running sessions" className="flex flex-col">
        {rows.map((session) => (
          <RunningSessionRow key={session.sessionId} session={session} />
        ))}
      </ul>
      {hasMore && (
        <Button tone="ghost" className="self-center" isBusy={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </>
  );
}

/** What a session does, with its controls. */
export function RunningSessionRow({ session }: { readonly session: RunningSession }) {
  const { sessionId, prompt, projectDir, harness, lastEventAt, lastToolName, pauseId, pendingInstructions } = session;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border py-3 last:border-0">
      <div className="flex min-w-56 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-2 text-14 text-strong">
          <Link
            to="/hooks/sessions/$sessionId"
            params={{ sessionId }}
            className="line-clamp-2 min-w-0 font-medium [overflow-wrap:anywhere] text-accent-text hover:underline"
          >
            {prompt?.trim() || `Session ${shortSessionId(sessionId)}`}
          </Link>
          {pauseId !== null && <Badge tone="warning">Paused</Badge>}
          {pendingInstructions > 0 && <Badge tone="info">{formatCount(pendingInstructions)} pending</Badge>}
        </span>
        <span className="text-13 [overflow-wrap:anywhere] text-muted">
          {[harness && assistantName(harness), projectDir].filter((part) => part !== null).join(", ")}
        </span>
        <span className="text-12 text-muted">
          {lastToolName === null ? "Last seen" : toolLabel(lastToolName)} <TimeAgo timestamp={lastEventAt} />
        </span>
      </div>
      <div className="flex gap-2 max-md:flex-1">
        <SessionControls sessionId={sessionId} pauseId={pauseId} />
      </div>
    </li>
  );
}
