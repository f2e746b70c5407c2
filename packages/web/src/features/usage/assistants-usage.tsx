import { SquareTerminal } from "lucide-react";
import { BarChart, type ChartSeries } from "../../charts/bar-chart.tsx";
import { dayBars } from "../../charts/day-bars.ts";
import { Figure } from "../../components/figure.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { sayCost, sayCount, sayTokens } from "../../numbers/number-wording.ts";
import { AmountTable } from "./amount-table.tsx";
import { useAssistantUsage, type AssistantUsage } from "./usage-queries.ts";
import { PERIOD_LABELS, type Period } from "../../dates/period.ts";

const SERIES: readonly ChartSeries[] = [
  { name: "Read", color: "text-info" },
  { name: "Put into cache", color: "text-warning" },
  { name: "Read from cache", color: "text-success" },
  { name: "Written", color: "text-accent" },
];
const COLUMNS = ["Answers", "Tokens", "Cost"] as const;
const SMALLEST_STEP_TOKENS = 1;

/** What coding assistants used, as the transcripts of their sessions say. Their makers bill it, not the workspace. */
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
      <EmptyState icon={<SquareTerminal size={20} />} title="No assistant has reported anything">
        The hooks import what a coding assistant used when its session ends; none did in the last{" "}
        {PERIOD_LABELS[period]}.
      </EmptyState>
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-280 flex-col gap-4 p-4 md:p-6">
        <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          <Figure name="Sessions" value={sayCount(data.sessions)} />
          <Figure name="Answers" value={sayCount(data.messages)} />
          <Figure name="Tokens" value={sayTokens(data.totalTokens)} />
          <Figure name="Cost" value={sayReported(data.costUsd)} />
        </div>
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
          sayValue={sayTokens}
          smallestStep={SMALLEST_STEP_TOKENS}
        />
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <AmountTable
            title="By model"
            nameColumn="Model"
            columns={COLUMNS}
            rows={data.byModel.map(({ model, ...used }) => amountRow(model ?? "unknown", used))}
            empty="No model was named."
          />
          <AmountTable
            title="By project"
            nameColumn="Project"
            columns={COLUMNS}
            rows={data.byProject.map(({ projectPath, ...used }) => amountRow(projectPath ?? "none", used))}
            empty="No project was named."
          />
        </div>
        <p className="text-12 text-muted">
          As the transcripts of the sessions say. It is billed by the assistants’ makers, and counts towards no budget
          here.
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
    cells: [sayCount(used.messages), sayTokens(used.totalTokens), sayReported(used.costUsd)],
  };
}

/** A cost that came with the messages; unknown where it came with none. */
function sayReported(costUsd: number | null): string {
  return sayCost(costUsd ?? 0, costUsd !== null);
}
