import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { GitCommitHorizontal, SquareTerminal } from "lucide-react";
import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { formatMoney, formatTokens, pluralize } from "../../numbers/number-format.ts";

type TaskSession = Outputs["tasks"]["sessions"]["data"][number];

const MAX_COMMITS = 3;

/** The assistants' sessions that worked on a task, and what came of them. Nothing if there are none. */
export function TaskSessions({ taskId }: { readonly taskId: string }) {
  const client = useClient();
  const { data } = useQuery(trpc(client).tasks.sessions.queryOptions({ id: taskId }));
  const sessions = data?.data ?? [];
  if (sessions.length === 0) return null;
  return (
    <section aria-label="Assistants’ sessions" className="flex flex-col gap-1 text-13">
      <h3 className="text-13 text-muted">Assistants’ sessions</h3>
      <ul className="flex flex-col gap-1">
        {sessions.map((session) => (
          <li key={session.sessionId}>
            <SessionEntry session={session} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SessionEntry({ session }: { session: TaskSession }) {
  const { sessionId, prompt, namedAt, lastEventAt, hasEnded, commits } = session;
  return (
    <Link
      to="/hooks/sessions/$sessionId"
      params={{ sessionId }}
      className="-mx-2 flex flex-col gap-0.5 rounded-control px-2 py-1.5 hover:bg-hover"
    >
      <span className="flex items-center gap-2">
        <SquareTerminal aria-hidden size={14} className="shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate text-strong">{prompt ?? `Session ${sessionId}`}</span>
        {lastEventAt !== null && !hasEnded && <Badge tone="info">Not ended</Badge>}
        <span className="shrink-0 text-12 text-muted">
          <TimeAgo timestamp={lastEventAt ?? namedAt} />
        </span>
      </span>
      <span className="pl-5.5 text-12 text-muted">{outcomeOf(session)}</span>
      {commits.slice(0, MAX_COMMITS).map(({ subject, committedAt }) => (
        <span key={committedAt} className="flex items-center gap-1.5 pl-5.5 text-12 text-muted">
          <GitCommitHorizontal aria-hidden size={12} className="shrink-0" />
          <span className="truncate">{subject ?? "Committed"}</span>
        </span>
      ))}
    </Link>
  );
}

/** What came of a session, in a line. */
function outcomeOf({ fileCount, memoryCount, totalTokens, costUsd, commits }: TaskSession): string {
  const parts = [
    fileCount === 0 ? "No files changed" : `${pluralize(fileCount, "file")} changed`,
    ...(commits.length > MAX_COMMITS ? [pluralize(commits.length, "commit")] : []),
    ...(memoryCount === 0 ? [] : [`${pluralize(memoryCount, "memory", "memories")} learnt`]),
    ...(totalTokens === 0 ? [] : [`${formatTokens(totalTokens)} tokens`]),
    ...(costUsd === null ? [] : [formatMoney(costUsd)]),
  ];
  return parts.join(" · ");
}
