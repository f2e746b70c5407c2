import { Gauge, TriangleAlert } from "lucide-react";
import { AmountTable } from "../../charts/amount-table.tsx";
import { BarChart } from "../../charts/bar-chart.tsx";
import type { ChartSeries } from "../../charts/chart-data.ts";
import { dayBars } from "../../charts/day-bars.ts";
import { Stat } from "../../components/stat.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { formatCost, formatCount, pluralize, formatMoney, formatTokens } from "../../numbers/number-format.ts";
import { BudgetLine } from "./budget-line.tsx";
import { useUsageStatistics, type UsageStatistics } from "./usage-queries.ts";
import { PERIOD_LABELS, type Period } from "../../dates/period.ts";
import { SOURCE_LABELS } from "./usage-search.ts";

const SERIES: readonly ChartSeries[] = [
  { name: "Chat", color: "text-info" },
  { name: "Agents", color: "text-accent" },
  { name: "Memory", color: "text-warning" },
];
const COLUMNS = ["Calls", "Tokens", "Cost"] as const;
const SMALLEST_STEP_USD = 0.001;

/** What the workspace's own model was used for over the period, and what it has cost. */
export default function UsageOverview({ period }: { readonly period: Period }) {
  const { data, error, refetch } = useUsageStatistics(period);
  if (data === undefined && error !== null) {
    return <ErrorState title="The usage could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-280 flex-col gap-4 p-4 md:p-6">
        <BudgetLine />
        {data === undefined && <Skeleton className="h-60" />}
        {data?.totalCalls === 0 && (
          <EmptyState icon={<Gauge size={20} />} title="No usage">
            Chat, agents and memory extraction use the model; there were no calls in the last {PERIOD_LABELS[period]}.
          </EmptyState>
        )}
        {data !== undefined && data.totalCalls > 0 && <Statistics data={data} isHourly={period === "24h"} />}
      </div>
    </div>
  );
}

function Statistics({ data, isHourly }: { data: UsageStatistics; isHourly: boolean }) {
  const isEveryCostKnown = data.callsOfUnknownCost === 0;
  return (
    <>
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <CostStat name="Cost" usd={data.totalCostUsd} isKnown={isEveryCostKnown} />
        <Stat name="Calls" value={formatCount(data.totalCalls)} />
        <Stat
          name="Tokens"
          value={formatTokens(data.totalInputTokens + data.totalOutputTokens)}
          note={
            <span className="text-muted">
              {formatTokens(data.totalInputTokens)} read, {formatTokens(data.totalOutputTokens)} written
            </span>
          }
        />
        <CostStat name="Average per call" usd={data.avgCostPerCall} isKnown={isEveryCostKnown} />
      </div>
      {!isEveryCostKnown && (
        <p
          role="note"
          className="flex items-start gap-2 rounded-panel border border-warning/30 bg-warning/8 px-4 py-2.5 text-13 text-strong"
        >
          <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
          {pluralize(data.callsOfUnknownCost, "call")} of {formatCount(data.totalCalls)}{" "}
          {data.callsOfUnknownCost === 1 ? "is" : "are"} not fully included in these costs: the price of the model is
          unknown, or a response was cut off before the model reported its usage. Add prices in the settings, or with
          MODEL_PRICES on the server.
        </p>
      )}
      <BarChart
        title={isHourly ? "Cost by hour" : "Cost by day"}
        unit="dollars"
        barName={isHourly ? "Hour" : "Day"}
        series={SERIES}
        bars={dayBars(data.dailyUsage, ({ chat, agent, memory }) => [chat, agent, memory])}
        formatValue={formatMoney}
        smallestStep={SMALLEST_STEP_USD}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <AmountTable
          title="By source"
          nameColumn="Source"
          columns={COLUMNS}
          rows={data.bySource.map(({ source, ...used }) => amountRow(data, source, SOURCE_LABELS[source], used))}
          empty="No model calls."
        />
        <AmountTable
          title="By model"
          nameColumn="Model"
          columns={COLUMNS}
          rows={data.byModel.map(({ model, ...used }) => amountRow(data, model, model, used))}
          empty="No model calls."
        />
      </div>
      <AmountTable
        title="Top consumers"
        nameColumn="Name"
        columns={["From", "Calls", "Cost"]}
        rows={data.topConsumers.map(({ name, source, calls, cost }) => ({
          key: `${source} ${name}`,
          name,
          weight: cost,
          cells: [SOURCE_LABELS[source], formatCount(calls), formatShare(data, { cost, calls })],
        }))}
        empty="No model calls."
      />
    </>
  );
}

function CostStat({ name, usd, isKnown }: { name: string; usd: number; isKnown: boolean }) {
  const hasPart = !isKnown && usd > 0;
  return (
    <Stat
      name={name}
      value={hasPart ? formatMoney(usd) : formatCost(usd, isKnown)}
      note={hasPart && <span className="text-muted">at least</span>}
    />
  );
}

function amountRow(
  data: UsageStatistics,
  key: string,
  name: string,
  used: { readonly cost: number; readonly calls: number; readonly tokens: number },
) {
  const cells = [formatCount(used.calls), formatTokens(used.tokens), formatShare(data, used)];
  return { key, name, weight: used.tokens, cells };
}

/** The cost of a group of calls. A cost of zero is shown only if the group cannot consist of calls of unknown cost. */
function formatShare(
  { callsOfUnknownCost }: UsageStatistics,
  { cost, calls }: { cost: number; calls: number },
): string {
  return formatCost(cost, cost > 0 || callsOfUnknownCost < calls);
}
