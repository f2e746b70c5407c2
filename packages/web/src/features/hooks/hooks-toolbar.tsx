import { Brain, ChartColumn, List, MessagesSquare, Shield, ShieldX, X } from "lucide-react";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { Button } from "../../components/button.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { FilterButton } from "../../lists/filter-button.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { HOOK_EVENT_LABELS, shortSessionId } from "./hook-event.ts";
import { PERIOD_LABELS, PERIODS } from "../../dates/period.ts";
import { HOOK_VIEWS, isFiltering, NO_HOOK_FILTER } from "./hook-search.ts";
import type { HookSearchState } from "./use-hook-search.ts";

const pickers = () => import("./hook-filter-pickers.tsx");
const TypeFilter = lazyPart(async () => ({ default: (await pickers()).TypeFilter }));
const ToolFilter = lazyPart(async () => ({ default: (await pickers()).ToolFilter }));
const SessionFilter = lazyPart(async () => ({ default: (await pickers()).SessionFilter }));

const VIEWS = [
  { value: "timeline", label: "Timeline", icon: <List size={16} /> },
  { value: "sessions", label: "Sessions", icon: <MessagesSquare size={16} /> },
  { value: "statistics", label: "Statistics", icon: <ChartColumn size={16} /> },
  { value: "policy", label: "Policy", icon: <Shield size={16} /> },
  { value: "memory", label: "Memory", icon: <Brain size={16} /> },
] as const;

/** Which events are shown, or the period of the statistics. */
export function HooksToolbar({ state }: { readonly state: HookSearchState }) {
  const { search, change } = state;
  const { view, period } = search;
  const isPhone = useMediaQuery(PHONE);
  useShortcut("view", () =>
    change({ view: HOOK_VIEWS[(HOOK_VIEWS.indexOf(view) + 1) % HOOK_VIEWS.length] ?? "timeline" }),
  );
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 border-b border-border pr-4 pl-3 touch:h-14 max-md:px-2">
      <div className="-my-1 flex min-w-0 flex-1 items-center gap-1 overflow-x-auto py-1 [scrollbar-width:none]">
        {view === "timeline" && <Filters state={state} />}
        {view === "statistics" && (
          <Segmented
            label="Period"
            value={period}
            hasWords
            options={PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value], icon: null }))}
            onChange={(next) => change({ period: next })}
          />
        )}
      </div>
      <Segmented
        label="View"
        shortcut="view"
        value={view}
        hasWords={!isPhone}
        options={VIEWS}
        onChange={(next) => change({ view: next })}
      />
    </div>
  );
}

function Filters({ state: { search, change } }: { state: HookSearchState }) {
  const { types, tool, session, isBlocked } = search;
  return (
    <>
      <Button
        size="small"
        tone={isBlocked ? "accent" : "ghost"}
        aria-pressed={isBlocked}
        className={isBlocked ? "bg-accent-soft" : ""}
        icon={<ShieldX aria-hidden size={14} className="text-danger" />}
        onClick={() => change({ isBlocked: !isBlocked })}
      >
        Blocked
      </Button>
      <FilterButton label="Type" words={types.map((type) => HOOK_EVENT_LABELS[type])} picker={() => <TypeFilter />} />
      <FilterButton label="Tool" words={tool === undefined ? [] : [tool]} picker={() => <ToolFilter />} />
      <FilterButton
        label="Session"
        words={session === undefined ? [] : [shortSessionId(session)]}
        picker={() => <SessionFilter />}
      />
      {isFiltering(search) && (
        <Button size="small" tone="ghost" icon={<X aria-hidden size={14} />} onClick={() => change(NO_HOOK_FILTER)}>
          Clear
        </Button>
      )}
    </>
  );
}
