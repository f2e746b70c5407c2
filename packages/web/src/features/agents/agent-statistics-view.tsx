import { ChartColumn } from "lucide-react";
import { BarChart } from "../../charts/bar-chart.tsx";
import type { ChartSeries } from "../../charts/chart-data.ts";
import { dayBars } from "../../charts/day-bars.ts";
import { Stat } from "../../components/stat.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { formatCount, formatDuration, formatMoney, formatPercent } from "../../numbers/number-format.ts";
import { useAgentStatistics } from "./agent-queries.ts";
import { PERIOD_LABELS, type Period } from "../../dates/period.ts";

const RUN_SERIES: readonly ChartSeries[] = [
  { name: "Succeeded", color: "text-accent" },
  { name: "Failed", color: "text-danger" },
];
const COST_SERIES: readonly ChartSeries[] = [{ name: "Cost", color: "text-accent" }];
const SMALLEST_STEP_USD = 0.001;

interface AgentStatisticsViewProps {
  readonly agentId: string;
  readonly period: Period;
}

/** An agent's statistics over a period. */
export default function AgentStatisticsView({ agentId, period }: AgentStatisticsViewProps) {
  const { data, error, refetch } = useAgentStatistics(agentId, period);
  if (data === undefined && error !== null) {
    return <ErrorState title="The statistics could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton className="m-4 h-60" />;
  if (data.totalRuns === 0) {
    return (
      <EmptyState icon={<ChartColumn size={20} />} title="Nothing to count">
        This agent has not run in the last {PERIOD_LABELS[period]}.
      </EmptyState>
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-280 flex-col gap-4 p-4 md:p-6">
        <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          <Stat name="Runs" value={formatCount(data.totalRuns)} />
          <Stat name="Succeeded" value={formatPercent(data.successRate)} />
          <Stat name="Average duration" value={formatDuration(data.avgDurationMs)} />
          <Stat name="Cost" value={formatMoney(data.totalCostUsd)} />
        </div>
        <BarChart
          title="Runs by day"
          unit="runs"
          barName="Day"
          series={RUN_SERIES}
          bars={dayBars(data.dailyRuns, ({ success, error: failed }) => [success, failed])}
        />
        <BarChart
          title="Cost by day"
          unit="dollars"
          barName="Day"
          series={COST_SERIES}
          bars={dayBars(data.dailyRuns, ({ costUsd }) => [costUsd])}
          formatValue={formatMoney}
          smallestStep={SMALLEST_STEP_USD}
        />
      </div>
    </div>
  );
}
