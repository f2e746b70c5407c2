import { History, SearchX } from "lucide-react";
import { useMemo } from "react";
import { Button } from "../../components/button.tsx";
import { Instant } from "../../components/instant.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { ListRow } from "../../lists/list-row.tsx";
import { useListCursor, type ListCursor } from "../../lists/use-list-cursor.ts";
import { useListShortcuts } from "../../lists/use-list-shortcuts.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { sayCost, sayDuration } from "../../numbers/number-wording.ts";
import type { ItemPanel } from "../shell/item-panel.ts";
import { useRuns } from "./agent-queries.ts";
import { RUN_STATUS_LABELS, RUN_TRIGGER_LABELS, type AgentRun } from "./agent.ts";
import { RunStatusIcon } from "./run-status.tsx";
import type { AgentSearchState } from "./use-agent-search.ts";

const ROW_PX = 56;

interface RunListProps {
  readonly agentId: string;
  readonly state: AgentSearchState;
  readonly panel: ItemPanel;
  readonly onRun: () => void;
}

/** The runs of an agent, newest first; those under way move on by themselves. */
export function RunList({ agentId, state: { search, change }, panel, onRun }: RunListProps) {
  const { runs, isLoading, error, isLoadingMore, loadMore, retry } = useRuns(agentId, search);
  const ids = useMemo(() => runs.map(idOf), [runs]);
  const cursor = useListCursor(ids, { open: panel.open, isPanelOpen: panel.openId !== undefined });
  useListShortcuts(cursor, {});

  if (isLoading) return <SkeletonRows />;
  if (error !== null) return <ErrorState title="The runs could not be loaded" error={error} onRetry={retry} />;
  if (runs.length === 0) {
    return search.statuses.length > 0 || search.since !== undefined ? (
      <EmptyState
        icon={<SearchX size={20} />}
        title="No run matches"
        action={<Button onClick={() => change({ statuses: [], since: undefined })}>Clear the filter</Button>}
      >
        No run of this agent fits the filter above.
      </EmptyState>
    ) : (
      <EmptyState
        icon={<History size={20} />}
        title="No runs yet"
        action={
          <Button tone="primary" shortcut="runAgent" onClick={onRun}>
            Run it now
          </Button>
        }
      >
        Every run is kept here, with what the agent said, did and cost.
      </EmptyState>
    );
  }
  return (
    <VirtualList
      label="Runs"
      items={runs}
      idOf={idOf}
      heightOf={rowHeight}
      cursorId={cursor.cursorId}
      focusRequest={cursor.focusRequest}
      onEndNear={loadMore}
      renderRow={(run, rowIndex) => (
        <RunRow run={run} rowIndex={rowIndex} cursor={cursor} isOpen={run.id === panel.openId} />
      )}
      footer={isLoadingMore && <p className="px-4 py-3 text-13 text-muted">Loading earlier runs…</p>}
    />
  );
}

interface RunRowProps {
  readonly run: AgentRun;
  readonly rowIndex: number;
  readonly cursor: ListCursor;
  readonly isOpen: boolean;
}

function RunRow({ run, rowIndex, cursor, isOpen }: RunRowProps) {
  const { id, status, trigger, output, errorMessage, startedAt, durationMs, costUsd, isCostKnown } = run;
  const firstLine = errorMessage ?? firstWords(output);
  return (
    <ListRow
      id={id}
      name={RUN_STATUS_LABELS[status]}
      rowIndex={rowIndex}
      cursor={cursor}
      isOpen={isOpen}
      className="pl-4"
    >
      <div role="gridcell" className="shrink-0">
        <RunStatusIcon status={status} />
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col">
        <span className="truncate text-strong">{firstLine === "" ? RUN_STATUS_LABELS[status] : firstLine}</span>
        <span className="truncate text-12 text-muted">
          <Instant timestamp={startedAt} /> · {RUN_TRIGGER_LABELS[trigger]}
          {durationMs !== null && ` · ${sayDuration(durationMs)}`}
        </span>
      </div>
      <div role="gridcell" className="tabular shrink-0 text-13 text-muted">
        {status === "running" ? "" : sayCost(costUsd, isCostKnown)}
      </div>
    </ListRow>
  );
}

/** The first line of what an agent has said, without the marks of Markdown. */
function firstWords(output: string): string {
  const line = output.split("\n").find((one) => one.trim() !== "") ?? "";
  return line.replace(/^\s*(?:#+|[-*>])\s+/, "").replaceAll(/[*`_]{1,3}(?=\S)|(?<=\S)[*`_]{1,3}/g, "");
}

function idOf(run: AgentRun): string {
  return run.id;
}

function rowHeight(): number {
  return ROW_PX;
}
