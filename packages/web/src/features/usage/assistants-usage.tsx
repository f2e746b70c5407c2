import { SquareTerminal } from "lucide-react";
import { AmountTable } from "../../charts/amount-table.tsx";
import { BarChart } from "../../charts/bar-chart.tsx";
import type { ChartSeries } from "../../charts/chart-data.ts";
import { dayBars } from "../../charts/day-bars.ts";
import { Stat } from "../../components/stat.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { formatCost, formatCount, formatTokens } from "../../numbers/number-format.ts";
import { LimitsCard } from "./limits-card.tsx";
import { useAssistantUsage, type AssistantUsage } from "./usage-queries.ts";
import { PERIOD_LABELS, type Period } from "../../dates/period.ts";

const SERIES: readonly ChartSeries[] = [
  { name: "Input", color: "text-info" },
  { name: "Written to cache", color: "text-warning" },
  { name: "Read from cache", color: "text-success" },
  { name: "Output", color: "text-accent" },
];
const COLUMNS = ["Responses", "Tokens", "Cost"] as const;
const SMALLEST_STEP_TOKENS = 1;

/** What coding assistants used, according to their transcripts. Their vendors bill it, not the workspace. */
export default function AssistantsUsage({ period }: { readonly period: Period }) {
  const { data, error, refetch } = useAssistantUsage(period);
  if (data === undefined && error !== null) {
    return (
      <ErrorState title="The assistants’ usage could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  if (data === undefined) return <Skeleton className="m-4 h-60" />;
  if (data.messages === 0) {
    return (
      <EmptyState icon={<SquareTerminal size={20} />} title="No assistant usage">
        The hooks import a coding assistant’s usage when its session ends; none ended in the last{" "}
        {PERIOD_LABELS[period]}.
      </EmptyState>
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-280 flex-col gap-4 p-4 md:p-6">
        <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          <Stat name="Sessions" value={formatCount(data.sessions)} />
          <Stat name="Answers" value={formatCount(data.messages)} />
          <Stat name="Tokens" value={formatTokens(data.totalTokens)} />
          <Stat name="Cost" value={formatReported(data.costUsd)} />
        </div>
        <LimitsCard />
        <BarChart
          title="Tokens by day"
          unit="tokens"
          barName="Day"
          series={SERIES}
          bars={dayBars(data.dailyUsage, (day) => [
            day.inputTokens,
            day.cacheCreationInputTokens,
            day.cacheReadInputTokens,
            day.outputTokens,
          ])}
          formatValue={formatTokens}
          smallestStep={SMALLEST_STEP_TOKENS}
        />
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <AmountTable
            title="By model"
            nameColumn="Model"
            columns={COLUMNS}
            rows={data.byModel.map(({ model, ...used }) => amountRow(model ?? "unknown", used))}
            empty="No models were recorded."
          />
          <AmountTable
            title="By project"
            nameColumn="Project"
            columns={COLUMNS}
            rows={data.byProject.map(({ projectPath, ...used }) => amountRow(projectPath ?? "none", used))}
            empty="No projects were recorded."
          />
        </div>
        <p className="text-12 text-muted">
          As recorded in the transcripts. This usage is billed by the assistants’ vendors and does not count towards any
          budget here.
        </p>
      </div>
    </div>
  );
}

function amountRow(name: string, used: Pick<AssistantUsage, "messages" | "totalTokens" | "costUsd">) {
  return {
    key: name,
    name,
    weight: used.totalTokens,
    cells: [formatCount(used.messages), formatTokens(used.totalTokens), formatReported(used.costUsd)],
  };
}

/** A cost that was reported with the messages; unknown if none was. */
function formatReported(costUsd: number | null): string {
  return formatCost(costUsd ?? 0, costUsd !== null);
}
