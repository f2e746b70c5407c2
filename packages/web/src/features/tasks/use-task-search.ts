import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { readStored, writeStored } from "../../browser/stored-value.ts";
import { isFiltering, type TaskFilter } from "./task-filter.ts";
import { fromFilter, parseTaskSearch, TASK_VIEWS, toFilter, type TaskView } from "./task-search.ts";
import type { TaskOrder } from "./task-order.ts";

const VIEW_KEY = "tasks.view";

export interface TaskSearchState {
  readonly filter: TaskFilter;
  readonly isFiltering: boolean;
  readonly view: TaskView;
  readonly order: TaskOrder;
  setFilter(filter: TaskFilter): void;
  setView(view: TaskView): void;
  setOrder(order: TaskOrder): void;
}

/** Which tasks to show and how, from the URL. The view is remembered for the next visit. */
export function useTaskSearch(): TaskSearchState {
  const navigate = useNavigate();
  const text = useSearch({ strict: false, select: (search) => JSON.stringify(parseTaskSearch(search)) });
  const search = useMemo(() => parseTaskSearch(JSON.parse(text)), [text]);
  const filter = useMemo(() => toFilter(search), [search]);

  const change = useCallback(
    (part: Record<string, string | undefined>) =>
      void navigate({ to: ".", search: (previous: object) => ({ ...previous, ...part }), replace: true }),
    [navigate],
  );
  const setFilter = useCallback((next: TaskFilter) => change(fromFilter(next)), [change]);
  const setOrder = useCallback(
    (order: TaskOrder) => change({ sort: order === "newest" ? undefined : order }),
    [change],
  );
  const setView = useCallback(
    (view: TaskView) => {
      writeStored(VIEW_KEY, view);
      change({ view });
    },
    [change],
  );

  return {
    filter,
    isFiltering: isFiltering(filter),
    view: search.view ?? rememberedView(),
    order: search.sort ?? "newest",
    setFilter,
    setView,
    setOrder,
  };
}

function rememberedView(): TaskView {
  const stored = readStored(VIEW_KEY);
  return TASK_VIEWS.find((view) => view === stored) ?? "list";
}
