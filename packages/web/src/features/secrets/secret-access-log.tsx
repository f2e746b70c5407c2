import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../api/session.ts";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { Skeleton } from "../../components/states.tsx";
import { accessesQuery } from "./secret-collection.ts";
import { ACCESS_LABELS, actorName, type SecretAccess } from "./secret.ts";

/** Who accessed a secret and how, newest first. */
export function SecretAccessLog({ secretKey }: { readonly secretKey: string }) {
  const client = useClient();
  const { data: accesses, error, refetch } = useQuery(accessesQuery(client, secretKey));
  return (
    <section aria-labelledby="secret-accesses" className="flex flex-col gap-2 border-t border-border pt-4">
      <h3 id="secret-accesses" className="text-13 font-medium text-strong">
        Access log
      </h3>
      {accesses !== undefined && <Accesses accesses={accesses} />}
      {accesses === undefined && error === null && <Skeleton className="h-16 w-full" />}
      {accesses === undefined && error !== null && (
        <div role="alert" className="flex items-center gap-2 text-13 text-muted">
          The log could not be loaded. {toRequestError(error).message}
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
    </section>
  );
}

function Accesses({ accesses }: { accesses: readonly SecretAccess[] }) {
  const client = useClient();
  const { data: user } = useQuery(sessionQuery(client));
  return (
    <ol className="flex max-h-80 flex-col overflow-y-auto text-13">
      {accesses.map(({ id, action, actor, createdAt }) => (
        <li key={id} className="flex items-baseline gap-3 border-b border-border py-1.5 last:border-0">
          <span className="w-28 shrink-0 text-strong">{ACCESS_LABELS[action]}</span>
          <span className="min-w-0 flex-1 truncate" data-tooltip={actor}>
            {actorName(actor, user?.id)}
          </span>
          <span className="shrink-0 text-12 text-muted">
            <TimeAgo timestamp={createdAt} />
          </span>
        </li>
      ))}
    </ol>
  );
}
