import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { LoadedSettings } from "../hooks/project-settings.tsx";

const SHOWN = 200;

/** Who uses this workspace. */
export default function PeopleSettings() {
  const client = useClient();
  const query = useQuery({
    ...trpc(client).account.listMembers.queryOptions({ limit: SHOWN }),
    select: ({ data }) => data,
  });
  return (
    <section aria-labelledby="people" className="flex flex-col gap-3">
      <h2 id="people" className="text-14 font-semibold text-strong">
        People
      </h2>
      <FormAlert tone="info">
        Everybody here sees and changes everything: tasks, documents, chats, memories and agents. Only values of secrets
        are shown one by one, and each time is recorded.
      </FormAlert>
      <LoadedSettings query={query}>
        {(members) => (
          <ul className="flex flex-col rounded-panel border border-border px-4">
            {members.map(({ id, name, email, isFirst, createdAt, lastSignInAt }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-2 border-b border-border py-2 last:border-0">
                <span className="min-w-0 flex-1 truncate text-strong">
                  {name} <span className="text-13 text-muted">{email}</span>
                </span>
                {isFirst && <Badge>First user</Badge>}
                <span className="text-13 text-muted">
                  {lastSignInAt === null ? (
                    <>
                      joined <TimeAgo timestamp={createdAt} />
                    </>
                  ) : (
                    <>
                      signed in <TimeAgo timestamp={lastSignInAt} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </LoadedSettings>
    </section>
  );
}
