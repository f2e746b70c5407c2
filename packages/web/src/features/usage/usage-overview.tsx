import { Gauge, TriangleAlert } from "lucide-react";
import { BarChart, type ChartSeries } from "../../charts/bar-chart.tsx";
import { dayBars } from "../../charts/day-bars.ts";
import { Figure } from "../../components/figure.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { sayCost, sayCount, sayCountOf, sayMoney, sayTokens } from "../../numbers/number-wording.ts";
import { AmountTable } from "./amount-table.tsx";
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
          <EmptyState icon={<Gauge size={20} />} title="Nothing was used">
            Chat, agents and what memories are taken from call the model; nothing did in the last{" "}
            {PERIOD_LABELS[period]}.
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
        <CostFigure name="Cost" usd={data.totalCostUsd} isKnown={isEveryCostKnown} />
        <Figure name="Calls" value={sayCount(data.totalCalls)} />
        <Figure
          name="Tokens"
          value={sayTokens(data.totalInputTokens + data.totalOutputTokens)}
          note={
            <span className="text-muted">
              {sayTokens(data.totalInputTokens)} read, {sayTokens(data.totalOutputTokens)} written
            </span>
          }
        />
        <CostFigure name="Average per call" usd={data.avgCostPerCall} isKnown={isEveryCostKnown} />
      </div>
      {!isEveryCostKnown && (
        <p
          role="note"
          className="flex items-start gap-2 rounded-panel border border-warning/30 bg-warning/8 px-4 py-2.5 text-13 text-strong"
        >
          <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
          {sayCountOf(data.callsOfUnknownCost, "call")} of {sayCount(data.totalCalls)}{" "}
          {data.callsOfUnknownCost === 1 ? "is" : "are"} not fully in these costs: the price of the model is unknown, or
          an answer was cut off before the model said what it had used. MODEL_PRICES of the server gives prices.
        </p>
      )}
      <BarChart
        title={isHourly ? "Cost by hour" : "Cost by day"}
        unit="dollars"
        barName={isHourly ? "Hour" : "Day"}
        series={SERIES}
        bars={dayBars(data.dailyUsage, ({ chat, agent, memory }) => [chat, agent, memory])}
        sayValue={sayMoney}
        smallestStep={SMALLEST_STEP_USD}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <AmountTable
          title="By source"
          nameColumn="Source"
          columns={COLUMNS}
          rows={data.bySource.map(({ source, ...used }) => amountRow(data, source, SOURCE_LABELS[source], used))}
          empty="Nothing called the model."
        />
        <AmountTable
          title="By model"
          nameColumn="Model"
          columns={COLUMNS}
          rows={data.byModel.map(({ model, ...used }) => amountRow(data, model, model, used))}
          empty="Nothing called the model."
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
          cells: [SOURCE_LABELS[source], sayCount(calls), sayPart(data, { cost, calls })],
        }))}
        empty="Nothing called the model."
      />
    </>
  );
}

function CostFigure({ name, usd, isKnown }: { name: string; usd: number; isKnown: boolean }) {
  const hasPart = !isKnown && usd > 0;
  return (
    <Figure
      name={name}
      value={hasPart ? sayMoney(usd) : sayCost(usd, isKnown)}
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
  const cells = [sayCount(used.calls), sayTokens(used.tokens), sayPart(data, used)];
  return { key, name, weight: used.tokens, cells };
}

/** The cost of a part of all calls. That it is nothing is only believed where it cannot be what is unknown. */
function sayPart({ callsOfUnknownCost }: UsageStatistics, { cost, calls }: { cost: number; calls: number }): string {
  return sayCost(cost, cost > 0 || callsOfUnknownCost < calls);
}
