import { CirclePause, Clock, Pause, Play, Square } from "lucide-react";
import type { MouseEvent } from "react";
import { IconButton } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { useNow } from "../../dates/use-now.ts";
import { ListRow } from "../../lists/list-row.tsx";
import type { RowPosition } from "../../lists/resource-list.tsx";
import { useCostToday } from "./agent-queries.ts";
import { RUN_STATUS_LABELS, type Agent } from "./agent.ts";
import { RunStatusIcon } from "./run-status.tsx";
import { describeSchedule, formatTimeUntil } from "./describe-schedule.ts";
import { SpendBar } from "./spend-bar.tsx";

export interface AgentRowActions {
  run(agent: Agent): void;
  cancel(agent: Agent): void;
  setEnabled(agent: Agent, enabled: boolean): void;
}

interface AgentRowProps {
  readonly agent: Agent;
  readonly position: RowPosition;
  readonly actions: AgentRowActions;
}

/** One agent in the list: when it runs, how its last run went, and what it has cost today. */
export function AgentRow({ agent, position, actions }: AgentRowProps) {
  const { id, name, schedule, enabled, lastStatus, lastRunAt } = agent;
  const isRunning = lastStatus === "running";
  return (
    <ListRow id={id} name={name} {...position} className="pl-4">
      <div role="gridcell" className="flex w-5 shrink-0 justify-center">
        {isRunning ? <RunStatusIcon status="running" /> : <IdleIcon enabled={enabled} />}
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-medium text-strong">{name}</span>
        <span className="truncate text-12 text-muted">
          {describeSchedule(schedule)}
          <span className="md:hidden">
            {" · "}
            <NextRun agent={agent} />
          </span>
        </span>
      </div>
      <div role="gridcell" className="w-36 shrink-0 text-13 text-normal max-md:hidden">
        <NextRun agent={agent} />
      </div>
      <div role="gridcell" className="flex w-44 shrink-0 items-center gap-2 text-13 max-lg:w-auto">
        {lastStatus !== null && !isRunning && <RunStatusIcon status={lastStatus} />}
        <span className="truncate text-muted max-lg:sr-only">
          {lastStatus === null && "Has not run yet"}
          {isRunning && RUN_STATUS_LABELS.running}
          {lastStatus !== null && !isRunning && lastRunAt !== null && <TimeAgo timestamp={lastRunAt} />}
        </span>
      </div>
      <div role="gridcell" className="w-36 shrink-0 max-md:hidden">
        <CostToday agent={agent} />
      </div>
      <div role="gridcell" className="flex shrink-0">
        {isRunning ? (
          <IconButton
            size="small"
            label={`Cancel ${name}`}
            icon={<Square size={14} />}
            onClick={withoutRowClick(() => actions.cancel(agent))}
          />
        ) : (
          <IconButton
            size="small"
            label={`Run ${name} now`}
            icon={<Play size={14} />}
            onClick={withoutRowClick(() => actions.run(agent))}
          />
        )}
        <IconButton
          size="small"
          label={enabled ? `Pause ${name}` : `Resume ${name}`}
          icon={enabled ? <Pause size={14} /> : <Clock size={14} />}
          className="max-md:hidden"
          onClick={withoutRowClick(() => actions.setEnabled(agent, !enabled))}
        />
      </div>
    </ListRow>
  );
}

/** When it is due, for example "in 5 min", or that its schedule is paused. */
export function NextRun({ agent: { enabled, nextRunAt } }: { readonly agent: Agent }) {
  const now = useNow();
  if (!enabled) return "Paused";
  return nextRunAt === null ? "Scheduled" : `Runs ${formatTimeUntil(nextRunAt, now)}`;
}

function IdleIcon({ enabled }: { enabled: boolean }) {
  const Icon = enabled ? Clock : CirclePause;
  return <Icon aria-hidden size={16} className="text-muted" />;
}

function CostToday({ agent: { id, dailyBudgetUsd } }: { agent: Agent }) {
  const spentUsd = useCostToday(id);
  return spentUsd === undefined ? null : <SpendBar spentUsd={spentUsd} limitUsd={dailyBudgetUsd} />;
}

/** Handles the click without opening the row. */
function withoutRowClick(act: () => void) {
  return (event: MouseEvent) => {
    event.stopPropagation();
    act();
  };
}
