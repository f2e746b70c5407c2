import { Link } from "@tanstack/react-router";
import { ChartColumn } from "lucide-react";
import type { ReactNode } from "react";
import { BarChart } from "../../charts/bar-chart.tsx";
import type { ChartSeries } from "../../charts/chart-data.ts";
import { dayBars } from "../../charts/day-bars.ts";
import { Button } from "../../components/button.tsx";
import { Stat } from "../../components/stat.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { formatCount, formatDuration, formatPercent } from "../../numbers/number-format.ts";
import { HOOK_EVENT_LABELS, HOOK_EVENT_TYPES, shortSessionId } from "./hook-event.ts";
import { PERIOD_LABELS } from "../../dates/period.ts";
import { NO_HOOK_FILTER } from "./hook-search.ts";
import { useHookStatistics, type HookStatistics } from "./hook-statistics-query.ts";
import { ToolTable } from "./tool-table.tsx";
import type { HookSearchState } from "./use-hook-search.ts";

const SERIES: readonly ChartSeries[] = [
  { name: "Allowed", color: "text-accent" },
  { name: "Blocked", color: "text-danger" },
];

/** Statistics of the hook events over a period. */
export default function HookStatisticsView({ state }: { readonly state: HookSearchState }) {
  const { search, change } = state;
  const { data, error, refetch } = useHookStatistics(search.period);
  if (data === undefined && error !== null) {
    return <ErrorState title="The statistics could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <StatisticsSkeleton />;
  if (data.totalEvents === 0) {
    return (
      <EmptyState
        icon={<ChartColumn size={20} />}
        title="No events"
        action={search.period !== "30d" && <Button onClick={() => change({ period: "30d" })}>Show 30 days</Button>}
      >
        No event was recorded in the last {PERIOD_LABELS[search.period]}.
      </EmptyState>
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-280 flex-col gap-4 p-4 md:p-6">
        <Stats data={data} onBlocked={() => change({ ...NO_HOOK_FILTER, isBlocked: true, view: "timeline" })} />
        <BarChart
          title="Events by day"
          unit="events"
          barName="Day"
          series={SERIES}
          bars={dayBars(data.dailyActivity, ({ allowed, blocked }) => [allowed, blocked])}
        />
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <ToolTable
            tools={data.toolBreakdown}
            onTool={(tool) => change({ ...NO_HOOK_FILTER, tool, view: "timeline" })}
          />
          <div className="flex flex-col gap-4">
            <TypeTable data={data} />
            <RecentSessions sessions={data.recentSessions} />
          </div>
        </div>
      </div>
    </div>
  );
}

function Stats({ data, onBlocked }: { data: HookStatistics; onBlocked: () => void }) {
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Stat name="Events" value={formatCount(data.totalEvents)} />
      <Stat
        name="Blocked"
        value={formatCount(data.blockedEvents)}
        tone={data.blockedEvents > 0 ? "danger" : "neutral"}
        note={
          data.blockedEvents > 0 && (
            <button type="button" className="font-medium text-accent-text hover:underline" onClick={onBlocked}>
              Show them
            </button>
          )
        }
      />
      <Stat name="Block rate" value={formatPercent(data.blockRate)} />
      <Stat name="Average duration" value={formatDuration(data.avgDurationMs)} />
    </div>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-panel border border-border p-4">
      <h2 className="mb-2 text-14 font-semibold text-strong">{title}</h2>
      {children}
    </section>
  );
}

function TypeTable({ data: { eventsByType } }: { data: HookStatistics }) {
  return (
    <Panel title="By type">
      <dl className="text-13">
        {HOOK_EVENT_TYPES.map((type) => (
          <div key={type} className="flex justify-between border-b border-border py-1.5 last:border-0">
            <dt>{HOOK_EVENT_LABELS[type]}</dt>
            <dd className="tabular text-strong">{formatCount(eventsByType[type] ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function RecentSessions({ sessions }: { sessions: readonly string[] }) {
  if (sessions.length === 0) return null;
  return (
    <Panel title="Recent sessions">
      <ul className="flex flex-col text-13">
        {sessions.map((sessionId) => (
          <li key={sessionId} className="border-b border-border last:border-0">
            <Link
              to="/hooks/sessions/$sessionId"
              params={{ sessionId }}
              data-tooltip={sessionId}
              className="block truncate py-1.5 font-mono text-12 text-accent-text hover:underline touch:py-3"
            >
              {shortSessionId(sessionId)}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function StatisticsSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="mx-auto flex w-full max-w-280 flex-col gap-4 p-4 md:p-6">
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {["events", "blocked", "share", "duration"].map((name) => (
          <Skeleton key={name} className="h-21" />
        ))}
      </div>
      <Skeleton className="h-60" />
      <Skeleton className="h-80" />
    </div>
  );
}
