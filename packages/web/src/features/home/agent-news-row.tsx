import { Play } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { formatCount, pluralize } from "../../numbers/number-format.ts";
import { runAgent } from "../agents/agent-actions.ts";
import { lastParagraphOf } from "../agents/last-paragraph.ts";
import { RunStatusIcon } from "../agents/run-status.tsx";
import { ROW } from "./home-part.tsx";
import { ItemLink } from "./item-link.tsx";
import type { AgentNews } from "./news.ts";

/** What an agent did, and how its last run ended. One that failed can be run again from here. */
export function AgentNewsRow({ agent }: { readonly agent: AgentNews }) {
  const { agentId, name, runs, failed, last } = agent;
  const text = lastParagraphOf(last.text);
  return (
    <li className={ROW}>
      <span className="shrink-0 self-start pt-0.5">
        <RunStatusIcon status={last.status} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex min-w-0 items-baseline gap-2">
          <ItemLink href={`/agents/${agentId}?run=${last.id}`} className="min-w-0 truncate font-medium text-strong">
            {name}
          </ItemLink>
          <span className="shrink-0 text-muted">
            {pluralize(runs, "run")}
            {failed > 0 && <span className="text-danger">, {formatCount(failed)} failed</span>}
          </span>
        </span>
        {text !== "" && <span className="line-clamp-2 [overflow-wrap:anywhere] text-normal">{text}</span>}
      </div>
      {(last.status === "error" || last.status === "budget_exceeded") && <RunAgain id={agentId} name={name} />}
      <span className="shrink-0 self-start text-12 text-muted">
        <TimeAgo timestamp={last.completedAt} />
      </span>
    </li>
  );
}

function RunAgain({ id, name }: { readonly id: string; readonly name: string }) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const run = () => {
    setBusy(true);
    void runAgent(client, { id, name }).finally(() => setBusy(false));
  };
  return (
    <Button size="small" isBusy={isBusy} icon={<Play aria-hidden size={14} />} onClick={run}>
      Run again
    </Button>
  );
}
