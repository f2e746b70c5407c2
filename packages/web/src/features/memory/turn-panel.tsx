import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { SquareTerminal } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { shortSessionId } from "../hooks/hook-event.ts";
import { appearanceOf, turnSearch } from "../hooks/turn-kinds.ts";
import { PanelHeader } from "../shell/side-panel.tsx";

interface TurnPanelProps {
  readonly sessionId: string;
  readonly position: number;
  readonly onClose: () => void;
}

/** What was said or done in one turn of a session. */
export default function TurnPanel({ sessionId, position, onClose }: TurnPanelProps) {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["session-turns", sessionId, "one", position],
    queryFn: async ({ signal }) => {
      const { data: transcript } = await client.api.hooks.getTranscript.query(
        { sessionId, from: position, limit: 1 },
        { signal },
      );
      return transcript.turns[0] ?? null;
    },
    staleTime: Infinity,
  });
  return (
    <>
      <PanelHeader title="In a session" onClose={onClose} />
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {data === undefined && error === null && <SkeletonRows />}
        {data === undefined && error !== null && (
          <ErrorState title="The turn could not be loaded" error={error} onRetry={() => void refetch()} />
        )}
        {data !== undefined && (
          <div className="flex flex-col gap-4 px-5 py-5">
            <Link
              to="/hooks/sessions/$sessionId"
              params={{ sessionId }}
              search={turnSearch(position)}
              className="flex items-center gap-2 self-start text-13 font-medium text-accent-text hover:underline touch:min-h-11"
            >
              <SquareTerminal aria-hidden size={14} className="shrink-0" />
              Read turn {position} in session {shortSessionId(sessionId)}
            </Link>
            {data === null ? (
              <p className="text-13 text-muted">This turn is no longer kept.</p>
            ) : (
              <>
                <p className="text-13 text-muted">
                  {data.toolName ?? appearanceOf(data).label}
                  {data.occurredAt !== null && (
                    <>
                      , <TimeAgo timestamp={data.occurredAt} />
                    </>
                  )}
                </p>
                <p className="[overflow-wrap:anywhere] whitespace-pre-wrap text-strong">{data.text}</p>
              </>
            )}
          </div>
        )}
      </div>
    </>
  );
}
