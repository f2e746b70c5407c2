import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useClient } from "../../client/use-client.ts";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { NO_PROJECT_PATH, parseMemoryFilter, toMemorySearch, type MemoryFilter } from "./memory-filter.ts";

/** The filter in the URL, with projects as they are stored, a function to change it, and whether their names are known by now. */
export function useMemorySearch(): [MemoryFilter, (filter: MemoryFilter) => void, boolean] {
  const [search, change] = useSearchParams(pickMemorySearch);
  const setFilter = useCallback((filter: MemoryFilter) => change(toMemorySearch(filter)), [change]);
  const given = useMemo(() => parseMemoryFilter(search), [search]);
  const { projects, isSettled } = useStoredProjects(given.projects);
  const filter = useMemo(() => ({ ...given, projects }), [given, projects]);
  return [filter, setFilter, isSettled];
}

/** The names of projects that may be given by a folder or a URL too; the name as given where no project has it, or not yet. */
function useStoredProjects(given: readonly string[]): { projects: readonly string[]; isSettled: boolean } {
  const client = useClient();
  return useQueries({
    queries: given.map((project) => ({
      queryKey: ["memory", "project", project],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await client.api.hooks.listProjects.query({ given: project }, { signal })).data[0]?.project ?? project,
      enabled: project !== NO_PROJECT_PATH,
    })),
    combine: useCallback(
      (results: readonly { readonly data: string | undefined; readonly isLoading: boolean }[]) => ({
        projects: [...new Set(given.map((project, index) => results[index]?.data ?? project))],
        isSettled: results.every(({ isLoading }) => !isLoading),
      }),
      [given],
    ),
  });
}

function pickMemorySearch(search: Record<string, unknown>): Record<string, unknown> {
  return toMemorySearch(parseMemoryFilter(search));
}
