import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Hourglass } from "lucide-react";
import { assistantName } from "@workspace/core/assistant-names";
import { TimeAgo } from "../../components/time-ago.tsx";
import { useClient } from "../../client/use-client.ts";
import { waitsQuery } from "./approvals.ts";
import { visibleText } from "./visible-text.ts";

/** Sessions that wait for a person in their own windows. Nothing if there are none. */
export function WaitingSessions() {
  const { data: waits = [] } = useQuery(waitsQuery(useClient()));
  if (waits.length === 0) return null;
  return (
    <section aria-labelledby="waiting" className="flex flex-col gap-2">
      <h2 id="waiting" className="text-14 font-semibold text-strong">
        Waiting in their own windows
      </h2>
      <ul className="flex flex-col rounded-panel border border-border bg-raised">
        {waits.map(({ sessionId, harness, project, reason, text, since }) => (
          <li key={sessionId} className="flex gap-3 border-b border-border px-4 py-3 last:border-0">
            <Hourglass aria-hidden size={16} className="mt-0.5 shrink-0 text-muted" />
            <div className="flex min-w-0 flex-1 flex-col gap-1 [overflow-wrap:anywhere]">
              <span className="text-13 text-strong">
                {reason === "input" ? "For the next prompt" : visibleText(text)}
              </span>
              <span className="text-12 text-muted">
                <Link
                  to="/hooks/sessions/$sessionId"
                  params={{ sessionId }}
                  className="text-accent-text hover:underline"
                >
                  {assistantName(harness)} in {project}
                </Link>
                , since <TimeAgo timestamp={since} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
