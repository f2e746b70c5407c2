import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { readStored, writeStored } from "../../browser/stored-value.ts";
import { useView } from "../views/view-rows.ts";
import type { View, ViewSettings } from "../views/view.ts";
import { isFiltering, type TaskFilter } from "./task-filter.ts";
import {
  fromFilter,
  NO_WHERE,
  parseTaskSearch,
  toFilter,
  type TaskGroupBy,
  type TaskSearch,
  type TaskView,
} from "./task-search.ts";
import type { TaskOrder } from "./task-order.ts";

const VIEW_KEY = "tasks.view";
/** Where the order that was chosen last is stored in this browser. */
export const ORDER_KEY = "tasks.order";

export interface TaskSearchState {
  readonly filter: TaskFilter;
  /** An expression that must hold, too; empty if there is none. */
  readonly where: string;
  readonly isFiltering: boolean;
  readonly view: TaskView;
  readonly order: TaskOrder;
  readonly group: TaskGroupBy;
  /** Of the calendar. */
  readonly at: string | undefined;
  readonly span: "week" | undefined;
  /** The saved view whose page this is. */
  readonly saved: View | undefined;
  /** Whether something differs from the saved view. */
  readonly isChanged: boolean;
  setFilter(filter: TaskFilter): void;
  setView(view: TaskView): void;
  change(part: TaskSearchChange): void;
  /** Shows everything, or what the saved view does. */
  reset(): void;
}

export type TaskSearchChange = {
  readonly [Name in "filter" | "group" | "sort" | "at" | "span"]?: TaskSearch[Name] | undefined;
};

/**
 * Which tasks to show and how, from the URL; what it does not say, the saved view does whose page this is. Elsewhere the view and
 * the order are remembered for the next visit.
 */
export function useTaskSearch(): TaskSearchState {
  const navigate = useNavigate();
  const text = useSearch({ strict: false, select: (search) => JSON.stringify(parseTaskSearch(search)) });
  const saved = useSavedView();
  const search = useMemo(() => parseTaskSearch(JSON.parse(text)), [text]);
  const filter = useMemo(() => toFilter(search), [search]);
  const base = saved?.settings ?? rememberedSettings();

  const setSearch = useCallback(
    (part: Record<string, string | undefined>) =>
      void navigate({ to: ".", search: (previous: object) => ({ ...previous, ...part }), replace: true }),
    [navigate],
  );
  const setFilter = useCallback((next: TaskFilter) => setSearch(fromFilter(next)), [setSearch]);
  const setView = useCallback(
    (view: TaskView) => {
      if (saved === undefined && (view === "list" || view === "board")) writeStored(VIEW_KEY, view);
      setSearch({ view: view === saved?.settings.layout ? undefined : view, at: undefined });
    },
    [setSearch, saved],
  );
  const change = useCallback(
    ({ filter: expression, group, ...part }: TaskSearchChange) =>
      setSearch({
        ...part,
        ...(expression !== undefined && {
          filter: expression === base.filter ? undefined : expression === "" ? NO_WHERE : expression,
        }),
        ...(group !== undefined && { group: group === base.group ? undefined : group }),
      }),
    [setSearch, base.filter, base.group],
  );
  const reset = useCallback(
    () =>
      setSearch({
        ...fromFilter(toFilter({})),
        filter: undefined,
        ...(saved !== undefined && {
          group: undefined,
          sort: undefined,
          view: undefined,
          at: undefined,
          span: undefined,
        }),
      }),
    [setSearch, saved],
  );

  const where = search.filter === NO_WHERE ? "" : (search.filter ?? base.filter);
  const { view, sort, group } = search;
  const isOther = [search.filter, view, sort, group].some((part) => part !== undefined);
  return {
    filter,
    where,
    isFiltering: isFiltering(filter) || where !== "",
    view: view ?? base.layout,
    order: sort ?? base.sort,
    group: group ?? base.group,
    at: search.at,
    span: search.span,
    saved,
    isChanged: saved !== undefined && (isOther || isFiltering(filter)),
    setFilter,
    setView,
    change,
    reset,
  };
}

/** The saved view whose page this is; undefined on any other page, and until it is loaded. */
function useSavedView(): View | undefined {
  const id = useParams({ strict: false, select: (params) => params.viewId });
  return useView(id ?? "");
}

/** Whether the page at the present address is a board, as far as can be said before it is rendered. */
export function isBoardOpened(): boolean {
  const view = new URLSearchParams(window.location.search).get("view");
  return (view ?? rememberedSettings().layout) === "board";
}

function rememberedSettings(): ViewSettings {
  const stored = { view: readStored(VIEW_KEY), sort: readStored(ORDER_KEY) };
  const { view = "list", sort = "newest" } = parseTaskSearch(stored);
  return { filter: "", layout: view, group: "status", sort };
}
