import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { toasts } from "../../components/toast.ts";
import { LoadedSettings } from "../hooks/project-settings.tsx";
import { deviceName } from "../notifications/device-name.ts";

type AccountSession = Outputs["account"]["listSessions"]["data"][number];

const SHOWN = 100;

/** Where the user is signed in, and how to end that. */
export function AccountSessions() {
  const client = useClient();
  const options = trpc(client).account.listSessions.queryOptions({ limit: SHOWN });
  const query = useQuery({ ...options, select: ({ data }) => data });
  const [busyWith, setBusyWith] = useState<string | null>(null);

  const act = async (what: string, action: () => Promise<string>) => {
    setBusyWith(what);
    try {
      toasts(client).show({ message: await action() });
    } catch (error) {
      toasts(client).show({ message: "Not signed out", detail: toRequestError(error).message, tone: "danger" });
    } finally {
      await client.queries.invalidateQueries({ queryKey: options.queryKey });
      setBusyWith(null);
    }
  };
  const end = ({ id, userAgent }: AccountSession) =>
    act(id, async () => {
      await client.api.account.endSession.mutate({ id });
      return `Signed out on ${deviceName(userAgent)}`;
    });
  const endOthers = () =>
    act("others", async () => {
      const { data } = await client.api.account.endOtherSessions.mutate();
      return data.ended === 1 ? "Signed out on one device" : `Signed out on ${data.ended} devices`;
    });
  return (
    <section aria-labelledby="sessions" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="sessions" className="text-14 font-semibold text-strong">
          Signed-in devices
        </h2>
        {(query.data?.length ?? 0) > 1 && (
          <Button size="small" isBusy={busyWith === "others"} onClick={() => void endOthers()}>
            Sign out everywhere else
          </Button>
        )}
      </div>
      <LoadedSettings query={query}>
        {(sessions) => (
          <ul className="flex flex-col rounded-panel border border-border px-4">
            {sessions.map((session) => (
              <li
                key={session.id}
                className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border py-2 last:border-0"
              >
                <span className="min-w-0 flex-1 text-13 text-strong">
                  {deviceName(session.userAgent)}{" "}
                  <span className="text-muted">
                    {session.address ?? "unknown address"}, since <TimeAgo timestamp={session.createdAt} />
                  </span>
                </span>
                {session.isCurrent ? (
                  <Badge>This device</Badge>
                ) : (
                  <Button size="small" tone="ghost" isBusy={busyWith === session.id} onClick={() => void end(session)}>
                    Sign out<span className="sr-only"> on {deviceName(session.userAgent)}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </LoadedSettings>
    </section>
  );
}
