import { formatCount, formatMoney, formatPercent } from "../../numbers/number-format.ts";
import { useBudget } from "../usage/use-budget.ts";
import { useOverallStatistics } from "./agent-queries.ts";
import { SpendBar } from "./spend-bar.tsx";

/** All agents in one line: the last seven days, and the workspace's spending today. */
export function AgentsOverview() {
  const { data } = useOverallStatistics("7d");
  const { data: budget } = useBudget();
  return (
    <dl
      aria-label="All agents, last 7 days"
      className="flex min-h-13 shrink-0 flex-wrap items-center gap-x-6 gap-y-1 border-b border-border px-4 py-2 text-13"
    >
      {data !== undefined && (
        <>
          <Fact name="Active" value={`${formatCount(data.activeAgents)} of ${formatCount(data.totalAgents)}`} />
          <Fact name="Running now" value={formatCount(data.runningAgentIds.length)} />
          <Fact name="Runs in 7 days" value={formatCount(data.runsInPeriod)} />
          {data.runsInPeriod > 0 && <Fact name="Succeeded" value={formatPercent(data.successRate)} />}
          <Fact name="Cost" value={formatMoney(data.totalCostUsd)} />
        </>
      )}
      {budget !== undefined && budget.limitUsd !== null && (
        <div className="ml-auto flex items-center gap-2 max-md:ml-0">
          <dt className="text-muted">Workspace</dt>
          <dd>
            <SpendBar spentUsd={budget.spentUsd} limitUsd={budget.limitUsd} className="w-40" />
          </dd>
        </div>
      )}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="tabular font-medium text-strong">{value}</dd>
    </div>
  );
}
