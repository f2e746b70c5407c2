import { CirclePause, Clock, Pause, Play, Square } from "lucide-react";
import type { MouseEvent } from "react";
import { IconButton } from "../../components/button.tsx";
import { Instant } from "../../components/instant.tsx";
import { useNow } from "../../dates/use-now.ts";
import { ListRow } from "../../lists/list-row.tsx";
import type { ListCursor } from "../../lists/use-list-cursor.ts";
import { useCostToday } from "./agent-queries.ts";
import { RUN_STATUS_LABELS, type Agent } from "./agent.ts";
import { RunStatusIcon } from "./run-status.tsx";
import { saySchedule, sayUntil } from "./schedule-wording.ts";
import { SpendBar } from "./spend-bar.tsx";

export interface AgentRowActions {
  run(agent: Agent): void;
  cancel(agent: Agent): void;
  setEnabled(agent: Agent, enabled: boolean): void;
}

interface AgentRowProps {
  readonly agent: Agent;
  readonly rowIndex: number;
  readonly cursor: ListCursor;
  readonly actions: AgentRowActions;
}

/** One agent in the list: when it runs, how that went last, and what it has cost today. */
export function AgentRow({ agent, rowIndex, cursor, actions }: AgentRowProps) {
  const { id, name, schedule, enabled, lastStatus, lastRunAt } = agent;
  const isRunning = lastStatus === "running";
  return (
    <ListRow id={id} name={name} rowIndex={rowIndex} cursor={cursor} isOpen={false} className="pl-4">
      <div role="gridcell" className="flex w-5 shrink-0 justify-center">
        {isRunning ? <RunStatusIcon status="running" /> : <RestIcon enabled={enabled} />}
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-medium text-strong">{name}</span>
        <span className="truncate text-12 text-muted">
          {saySchedule(schedule)}
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
          {lastStatus !== null && !isRunning && lastRunAt !== null && <Instant timestamp={lastRunAt} />}
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
            onClick={alone(() => actions.cancel(agent))}
          />
        ) : (
          <IconButton
            size="small"
            label={`Run ${name} now`}
            icon={<Play size={14} />}
            onClick={alone(() => actions.run(agent))}
          />
        )}
        <IconButton
          size="small"
          label={enabled ? `Pause ${name}` : `Resume ${name}`}
          icon={enabled ? <Pause size={14} /> : <Clock size={14} />}
          className="max-md:hidden"
          onClick={alone(() => actions.setEnabled(agent, !enabled))}
        />
      </div>
    </ListRow>
  );
}

/** When it is due: "in 5 min", or that its schedule is switched off. */
export function NextRun({ agent: { enabled, nextRunAt } }: { readonly agent: Agent }) {
  const now = useNow();
  if (!enabled) return "Paused";
  return nextRunAt === null ? "Scheduled" : `Runs ${sayUntil(nextRunAt, now)}`;
}

function RestIcon({ enabled }: { enabled: boolean }) {
  const Icon = enabled ? Clock : CirclePause;
  return <Icon aria-hidden size={16} className="text-muted" />;
}

function CostToday({ agent: { id, dailyBudgetUsd } }: { agent: Agent }) {
  const spentUsd = useCostToday(id);
  return spentUsd === undefined ? null : <SpendBar spentUsd={spentUsd} limitUsd={dailyBudgetUsd} />;
}

/** Does this and does not open the row. */
function alone(act: () => void) {
  return (event: MouseEvent) => {
    event.stopPropagation();
    act();
  };
}
