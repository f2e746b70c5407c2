import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { TimeAgo } from "../../components/time-ago.tsx";
import { shortSessionId } from "../hooks/hook-event.ts";
import { TURN_KINDS, turnSearch } from "../hooks/turn-kinds.ts";

const MIN_QUERY_LENGTH = 3;
const MAX_MATCHES = 10;

type FoundTurn = Outputs["session"]["search"]["data"][number];

/** What was said and done in sessions that matches a search of memories; nothing if there is none. */
export function SessionMatches({ query }: { readonly query: string }) {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ["session-turns", "search", query],
    queryFn: ({ signal }) => client.api.session.search.query({ query, limit: MAX_MATCHES }, { signal }),
    enabled: query.trim().length >= MIN_QUERY_LENGTH,
    placeholderData: keepPreviousData,
  });
  const turns = data?.data ?? [];
  if (turns.length === 0 || query.trim().length < MIN_QUERY_LENGTH) return null;
  return (
    <section
      aria-labelledby="session-matches"
      className="max-h-2/5 shrink-0 overflow-y-auto overscroll-contain border-t border-border pb-2"
    >
      <h2 id="session-matches" className="px-4 pt-3 pb-1 text-13 font-semibold text-strong">
        In sessions
      </h2>
      <ul>
        {turns.map((turn) => (
          <li key={`${turn.sessionId} ${turn.position}`}>
            <Match turn={turn} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Match({ turn: { sessionId, position, kind, toolName, occurredAt, excerpt } }: { readonly turn: FoundTurn }) {
  const { label, Icon } = TURN_KINDS[kind];
  return (
    <Link
      to="/hooks/sessions/$sessionId"
      params={{ sessionId }}
      search={turnSearch(position)}
      className="flex gap-2 px-4 py-1.5 text-13 hover:bg-hover focus-visible:-outline-offset-2"
    >
      <Icon role="img" aria-label={toolName ?? label} size={16} className="mt-0.5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 [overflow-wrap:anywhere] text-strong">{excerpt}</span>
        <span className="block truncate text-12 text-muted">
          Session {shortSessionId(sessionId)}, turn {position}
          {occurredAt !== null && (
            <>
              , <TimeAgo timestamp={occurredAt} />
            </>
          )}
        </span>
      </span>
    </Link>
  );
}
