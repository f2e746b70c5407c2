import { ChevronLeft, ChevronRight, SearchX } from "lucide-react";
import { Button, IconButton } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { formatCost, formatCount, pluralize, formatDuration, formatTokens } from "../../numbers/number-format.ts";
import { useUsageList, type UsageRecord } from "./usage-queries.ts";
import { SOURCE_LABELS } from "./usage-search.ts";
import type { UsageSearchState } from "./use-usage-search.ts";

/** All model calls, newest first, page by page. */
export default function UsageCalls({ state: { search, change } }: { readonly state: UsageSearchState }) {
  const { data, error, refetch } = useUsageList(search);
  if (data === undefined && error !== null) {
    return <ErrorState title="The calls could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonRows />;
  const { page, totalPages, total } = data.pagination;
  if (data.data.length === 0) {
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title={search.text === "" && search.source === undefined ? "No calls yet" : "No matching calls"}
        action={
          (search.text !== "" || search.source !== undefined) && (
            <Button onClick={() => change({ text: "", source: undefined })}>Clear the filter</Button>
          )
        }
      >
        There were no model calls in this period{search.text === "" ? "" : " with this name"}.
      </EmptyState>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        tabIndex={0}
        role="region"
        aria-label="Calls"
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <table className="w-full table-fixed text-13">
          <thead className="sticky top-0 z-10 bg-surface">
            <tr className="border-b border-border text-12 text-muted">
              <Heading className="pl-4 text-left">Used for</Heading>
              <Heading className="w-48 text-left max-lg:hidden">Model</Heading>
              <Heading className="w-24 text-right max-md:hidden">Input</Heading>
              <Heading className="w-20 text-right max-md:hidden">Output</Heading>
              <Heading className="w-20 text-right max-lg:hidden">Duration</Heading>
              <Heading className="w-40 pr-4 text-right">Cost</Heading>
            </tr>
          </thead>
          <tbody>
            {data.data.map((record) => (
              <Call key={record.id} record={record} />
            ))}
          </tbody>
        </table>
      </div>
      <footer className="flex shrink-0 items-center justify-between gap-2 border-t border-border px-4 py-1.5 text-13 text-muted">
        <span className="tabular">{pluralize(total, "entry", "entries")}</span>
        <nav aria-label="Pages" className="flex items-center gap-1">
          <IconButton
            size="small"
            label="Newer calls"
            disabled={page <= 1}
            icon={<ChevronLeft size={16} />}
            onClick={() => change({ page: page - 1 })}
          />
          <span className="tabular px-1 text-strong">
            Page {formatCount(page)} of {formatCount(totalPages)}
          </span>
          <IconButton
            size="small"
            label="Older calls"
            disabled={page >= totalPages}
            icon={<ChevronRight size={16} />}
            onClick={() => change({ page: page + 1 })}
          />
        </nav>
      </footer>
    </div>
  );
}

function Heading({ className, children }: { className: string; children: string }) {
  return (
    <th scope="col" className={`py-2 font-medium ${className}`}>
      {children}
    </th>
  );
}

function Call({ record }: { record: UsageRecord }) {
  const { source, sourceName, model, inputTokens, cachedInputTokens, outputTokens, durationMs, createdAt } = record;
  return (
    <tr className="border-b border-border last:border-0 hover:bg-hover">
      <th scope="row" className="py-2 pl-4 text-left font-normal">
        <span className="block truncate text-strong">{sourceName ?? SOURCE_LABELS[source]}</span>
        <span className="block truncate text-12 text-muted">
          {SOURCE_LABELS[source]} · <TimeAgo timestamp={createdAt} />
        </span>
      </th>
      <td className="truncate text-muted max-lg:hidden">{model ?? "unknown"}</td>
      <td
        className="tabular text-right max-md:hidden"
        data-tooltip={cachedInputTokens > 0 ? `${formatTokens(cachedInputTokens)} from cache` : undefined}
      >
        {formatTokens(inputTokens)}
      </td>
      <td className="tabular text-right max-md:hidden">{formatTokens(outputTokens)}</td>
      <td className="tabular text-right max-lg:hidden">{durationMs === null ? "" : formatDuration(durationMs)}</td>
      <td className="tabular pr-4 text-right text-strong">{formatCost(record.costUsd, record.isCostKnown)}</td>
    </tr>
  );
}
