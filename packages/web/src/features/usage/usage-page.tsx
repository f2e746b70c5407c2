import { Gauge, List, SquareTerminal } from "lucide-react";
import { Suspense, useCallback } from "react";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { Select } from "../../components/field.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { TextFilter } from "../../lists/text-filter.tsx";
import { useFilterText } from "../../lists/use-filter-text.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { Page } from "../shell/page.tsx";
import { PERIOD_LABELS, PERIODS } from "../../dates/period.ts";
import { SOURCE_LABELS, USAGE_SOURCES, USAGE_VIEWS } from "./usage-search.ts";
import { useUsageSearch, type UsageSearchState } from "./use-usage-search.ts";

const UsageOverview = lazyPart(() => import("./usage-overview.tsx"));
const UsageCalls = lazyPart(() => import("./usage-calls.tsx"));
const AssistantsUsage = lazyPart(() => import("./assistants-usage.tsx"));

const VIEWS = [
  { value: "overview", label: "Overview", icon: <Gauge size={16} /> },
  { value: "calls", label: "Calls", icon: <List size={16} /> },
  { value: "assistants", label: "Assistants", icon: <SquareTerminal size={16} /> },
] as const;

/** What models were used for and what it cost: the workspace's own, and separately the assistants'. */
export default function UsagePage() {
  const state = useUsageSearch();
  const { view, period } = state.search;
  useShortcut("view", () =>
    state.change({ view: USAGE_VIEWS[(USAGE_VIEWS.indexOf(view) + 1) % USAGE_VIEWS.length] ?? "overview" }),
  );
  return (
    <Page title="Usage" onCreate={null} toolbar={<Toolbar state={state} />}>
      <Suspense fallback={<SkeletonRows />}>
        {view === "overview" && <UsageOverview period={period} />}
        {view === "calls" && <UsageCalls state={state} />}
        {view === "assistants" && <AssistantsUsage period={period} />}
      </Suspense>
    </Page>
  );
}

function Toolbar({ state }: { state: UsageSearchState }) {
  const { search, change } = state;
  const isPhone = useMediaQuery(PHONE);
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 border-b border-border pr-4 pl-3 touch:h-14 max-md:px-2">
      <div className="-my-1 flex min-w-0 flex-1 items-center gap-2 overflow-x-auto py-1 [scrollbar-width:none]">
        <Segmented
          label="Period"
          value={search.period}
          hasWords
          options={PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value], icon: null }))}
          onChange={(period) => change({ period })}
        />
        {search.view === "calls" && <CallFilters state={state} />}
      </div>
      <Segmented
        label="View"
        shortcut="view"
        value={search.view}
        hasWords={!isPhone}
        options={VIEWS}
        onChange={(view) => change({ view })}
      />
    </div>
  );
}

function CallFilters({ state: { search, change } }: { state: UsageSearchState }) {
  const onPause = useCallback((next: string) => change({ text: next }), [change]);
  const [text, setText] = useFilterText(search.text, onPause);
  return (
    <>
      <TextFilter text={text} onText={setText} />
      <Select
        aria-label="Source"
        value={search.source ?? ""}
        className="h-(--control-height-small) shrink-0 text-13"
        onChange={({ target: { value } }) => change({ source: USAGE_SOURCES.find((source) => source === value) })}
      >
        <option value="">All sources</option>
        {USAGE_SOURCES.map((source) => (
          <option key={source} value={source}>
            {SOURCE_LABELS[source]}
          </option>
        ))}
      </Select>
    </>
  );
}
