import { Link } from "@tanstack/react-router";
import { Quote, SquareTerminal } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../client/use-client.ts";
import { TimeAgo } from "../../components/time-ago.tsx";
import { turnSearch } from "../hooks/turn-kinds.ts";
import { recallQuery } from "./memory-collection.ts";
import type { Memory } from "./memory.ts";

/** Where a memory comes from: the excerpt it was extracted from, and its session. */
export function MemoryProvenance({ memory }: { readonly memory: Memory }) {
  const client = useClient();
  const { data: recall } = useQuery(recallQuery(client, memory));
  const { sourceExcerpt, sourceTurn, sessionId, createdAt } = memory;
  return (
    <section aria-labelledby="memory-provenance" className="flex flex-col gap-2 border-t border-border pt-4">
      <h2 id="memory-provenance" className="text-13 font-medium text-strong">
        Where it comes from
      </h2>
      {sourceExcerpt === null ? (
        <p className="text-13 text-muted">
          {sessionId === null
            ? "It was entered manually or stored by a program, without an excerpt."
            : "No excerpt was kept."}
        </p>
      ) : (
        <figure className="flex gap-2 rounded-control border border-border bg-background p-3">
          <Quote aria-hidden size={14} className="mt-0.5 shrink-0 text-muted" />
          <blockquote className="max-h-60 min-w-0 overflow-y-auto text-13 [overflow-wrap:anywhere] whitespace-pre-wrap">
            {sourceExcerpt}
          </blockquote>
        </figure>
      )}
      {sessionId !== null && (
        <Link
          to="/hooks/sessions/$sessionId"
          params={{ sessionId }}
          search={turnSearch(sourceTurn)}
          className="flex min-w-0 items-center gap-2 text-13 font-medium text-accent-text hover:underline"
        >
          <SquareTerminal aria-hidden size={14} className="shrink-0" />
          <span className="truncate">
            {sourceTurn !== null && `Turn ${sourceTurn} of `}Session {sessionId}
          </span>
        </Link>
      )}
      <p className="text-12 text-muted">
        Remembered <TimeAgo timestamp={createdAt} />
        {recall?.extractedAt != null && (
          <>
            , taken from the session’s transcript <TimeAgo timestamp={recall.extractedAt} />
          </>
        )}
      </p>
    </section>
  );
}
