import { History } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { EmptyState } from "../../components/states.tsx";
import { ListRow } from "../../lists/list-row.tsx";
import { NoMatch, ResourceList, type RowPosition } from "../../lists/resource-list.tsx";
import { formatCost, formatDuration } from "../../numbers/number-format.ts";
import type { ItemPanel } from "../shell/item-panel.ts";
import { useRuns } from "./agent-queries.ts";
import { RUN_STATUS_LABELS, RUN_TRIGGER_LABELS, type AgentRun } from "./agent.ts";
import { lastParagraphOf } from "./last-paragraph.ts";
import { RunStatusIcon } from "./run-status.tsx";
import type { AgentSearchState } from "./use-agent-search.ts";

const ROW_PX = 56;

interface RunListProps {
  readonly agentId: string;
  readonly state: AgentSearchState;
  readonly panel: ItemPanel;
  readonly onRun: () => void;
}

/** The runs of an agent, newest first; those in progress update themselves. */
export function RunList({ agentId, state: { search, change }, panel, onRun }: RunListProps) {
  const isFiltered = search.statuses.length > 0 || search.since !== undefined;
  return (
    <ResourceList
      label="Runs"
      state={useRuns(agentId, search)}
      heightOf={rowHeight}
      panel={panel}
      renderRow={(run, position) => <RunRow run={run} position={position} />}
      empty={
        isFiltered ? (
          <NoMatch title="No matching runs" onClear={() => change({ statuses: [], since: undefined })}>
            No runs of this agent match the filter.
          </NoMatch>
        ) : (
          <NoRuns onRun={onRun} />
        )
      }
    />
  );
}

function NoRuns({ onRun }: { onRun: () => void }) {
  return (
    <EmptyState
      icon={<History size={20} />}
      title="No runs yet"
      action={
        <Button tone="primary" shortcut="runAgent" onClick={onRun}>
          Run it now
        </Button>
      }
    >
      Every run is recorded here, with what the agent said and did, and what it cost.
    </EmptyState>
  );
}

function RunRow({ run, position }: { run: AgentRun; position: RowPosition }) {
  const { id, status, trigger, output, errorMessage, startedAt, durationMs, costUsd, isCostKnown } = run;
  const outcome = errorMessage ?? lastParagraphOf(output);
  return (
    <ListRow id={id} name={RUN_STATUS_LABELS[status]} {...position} className="pl-4">
      <div role="gridcell" className="shrink-0">
        <RunStatusIcon status={status} />
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col">
        <span className="truncate text-strong">{outcome === "" ? RUN_STATUS_LABELS[status] : outcome}</span>
        <span className="truncate text-12 text-muted">
          <TimeAgo timestamp={startedAt} /> · {RUN_TRIGGER_LABELS[trigger]}
          {durationMs !== null && ` · ${formatDuration(durationMs)}`}
        </span>
      </div>
      <div role="gridcell" className="tabular shrink-0 text-13 text-muted">
        {status === "running" ? "" : formatCost(costUsd, isCostKnown)}
      </div>
    </ListRow>
  );
}

function rowHeight(): number {
  return ROW_PX;
}
