import { SquareTerminal, Wrench } from "lucide-react";
import { OptionList } from "../../components/option-list.tsx";
import { toggled } from "../../lists/choices.ts";
import { EventTypeIcon } from "./hook-event-icon.tsx";
import { HOOK_EVENT_LABELS, HOOK_EVENT_TYPES } from "./hook-event.ts";
import { useHookStatistics } from "./hook-statistics-query.ts";
import { useHookSearch } from "./use-hook-search.ts";

export function TypeFilter() {
  const { search, change } = useHookSearch();
  return (
    <OptionList
      label="Filter by type"
      options={HOOK_EVENT_TYPES.map((type) => ({
        value: type,
        label: HOOK_EVENT_LABELS[type],
        icon: <EventTypeIcon type={type} />,
      }))}
      chosen={new Set(search.types)}
      onPick={(type) => change({ types: toggled(search.types, type) })}
    />
  );
}

/** The tools used in the last 30 days; any other can be typed. */
export function ToolFilter() {
  const { search, change } = useHookSearch();
  const { data } = useHookStatistics("30d");
  return (
    <OptionList
      label="Filter by tool"
      options={(data?.toolBreakdown ?? []).map(({ toolName }) => ({
        value: toolName,
        label: toolName,
        icon: <Wrench size={16} className="text-muted" />,
      }))}
      chosen={new Set(search.tool === undefined ? [] : [search.tool])}
      onPick={(tool) => change({ tool: tool === search.tool ? undefined : tool })}
      onCreate={(tool) => change({ tool })}
      createLabel={(tool) => `Tool “${tool}”`}
    />
  );
}

/** Recent sessions; the id of any other can be pasted. */
export function SessionFilter() {
  const { search, change } = useHookSearch();
  const { data } = useHookStatistics("30d");
  return (
    <OptionList
      label="Filter by session"
      options={(data?.recentSessions ?? []).map((session) => ({
        value: session,
        label: session,
        icon: <SquareTerminal size={16} className="text-muted" />,
      }))}
      chosen={new Set(search.session === undefined ? [] : [search.session])}
      onPick={(session) => change({ session: session === search.session ? undefined : session })}
      onCreate={(session) => change({ session })}
      createLabel={(session) => `Session “${session}”`}
    />
  );
}
