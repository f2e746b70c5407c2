import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ThumbsDown } from "lucide-react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Skeleton } from "../../components/states.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { pluralize } from "../../numbers/number-format.ts";
import { shortSessionId } from "../hooks/hook-event.ts";
import { describeOccasion, injectionsQuery, type Injection } from "./memory-injection.ts";
import { judgeInjection } from "./memory-injection-actions.ts";
import { MemoryUse } from "./memory-use.tsx";
import type { Memory } from "./memory.ts";

/** When a memory was given to a session, for what, and whether it was used there. */
export function MemoryInjections({ memory }: { readonly memory: Memory }) {
  const client = useClient();
  const { data, error } = useQuery(injectionsQuery(client, memory.id));
  return (
    <section aria-labelledby="memory-injections" className="flex flex-col gap-2 border-t border-border pt-4">
      <h2 id="memory-injections" className="text-13 font-medium text-strong">
        When it was given
      </h2>
      {data === undefined && error === null && <Skeleton className="h-16 w-full" />}
      {data === undefined && error !== null && (
        <p role="alert" className="text-13 text-muted">
          The sessions could not be loaded. {toRequestError(error).message}
        </p>
      )}
      {data?.injections.length === 0 && <p className="text-13 text-muted">No session has been given it yet.</p>}
      {data !== undefined && data.injections.length > 0 && (
        <ul aria-labelledby="memory-injections" className="flex flex-col gap-3">
          {data.injections.map((injection) => (
            <InjectionItem key={injection.sessionId} memory={memory} injection={injection} />
          ))}
        </ul>
      )}
      {data?.hasMore === true && <p className="text-12 text-muted">Earlier sessions are not shown.</p>}
    </section>
  );
}

function InjectionItem({ memory, injection }: { memory: Memory; injection: Injection }) {
  const client = useClient();
  const { sessionId, tokens, givenAt, notUsefulAt } = injection;
  const isNotUseful = notUsefulAt !== null;
  return (
    <li className="flex flex-col gap-1 text-13">
      <span className="flex items-baseline gap-2">
        <Link
          to="/hooks/sessions/$sessionId"
          params={{ sessionId }}
          className="min-w-0 truncate font-medium text-accent-text hover:underline"
        >
          Session {shortSessionId(sessionId)}
        </Link>
        <span className="shrink-0 text-12 text-muted">
          <TimeAgo timestamp={givenAt} />
        </span>
      </span>
      <p className="line-clamp-2 text-normal [overflow-wrap:anywhere]">{describeOccasion(injection)}</p>
      <span className="flex items-center gap-3 text-12 text-muted">
        <MemoryUse injection={injection} />
        <span className="tabular">{pluralize(tokens, "token")}</span>
        <Button
          size="small"
          tone={isNotUseful ? "accent" : "ghost"}
          aria-pressed={isNotUseful}
          className={isNotUseful ? "ml-auto bg-accent-soft" : "ml-auto"}
          icon={<ThumbsDown aria-hidden size={14} />}
          onClick={() => void judgeInjection(client, memory, injection, !isNotUseful)}
        >
          Not useful
        </Button>
      </span>
    </li>
  );
}
