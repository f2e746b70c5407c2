import { useCallback } from "react";
import { useFilterText } from "../../lists/use-filter-text.ts";
import type { TaskSearchState } from "./use-task-search.ts";

/** The filter text while it is typed; the URL is updated when typing pauses. */
export function useTaskFilterText({ filter, setFilter }: TaskSearchState): [string, (text: string) => void] {
  const onPause = useCallback((text: string) => setFilter({ ...filter, text }), [filter, setFilter]);
  return useFilterText(filter.text, onPause);
}
