import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState, type ReactNode } from "react";
import type { Client } from "../../client/client.ts";
import { firstData } from "../../client/first-data.ts";
import { useClient } from "../../client/use-client.ts";
import { loadable, preloadAll } from "../../components/loadable.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { useToday } from "../../dates/use-now.ts";
import { useFirstRows } from "../../local-copy/first-rows.ts";
import { BoardSkeleton } from "./board-skeleton.tsx";
import { useCollapsedGroups, useFoldedTasks } from "./collapsed-groups.ts";
import { useCreatedTask } from "./created-task.ts";
import { defaultsFrom, type NewTaskDefaults } from "./new-task-defaults.ts";
import { useTaskFilterText } from "./use-task-filter-text.ts";
import { focusQuickAdd, NewTaskChips, QuickAdd } from "./quick-add.tsx";
import { useTasks } from "./task-collection.ts";
import { filterTasks, isFiltering, type TaskFilter } from "./task-filter.ts";
import { useSnoozeTime } from "./snooze.ts";
import { TaskList } from "./task-list.tsx";
import { listItemsOf, taskIdsOf, type ListItem } from "./task-list-items.ts";
import { useTaskCounts } from "./task-counts.ts";
import { groupByStatus, type TaskGroup } from "./task-order.ts";
import { outlineOf } from "./task-outline.ts";
import { RowGrip, RowParts, TitleEditor } from "./task-row.tsx";
import { BOARD_STATUSES, STATUSES } from "./task.ts";
import { useTaskCursor } from "./use-task-cursor.ts";
import { useTaskShortcuts } from "./use-task-shortcuts.ts";
import { useTaskSearch, type TaskSearchState } from "./use-task-search.ts";

// After the first rows: nothing is selected, and nobody filters before they are shown.
const AFTER_DATA = { afterData: true };
const FilterBar = lazyPart(() => import("./filter-bar.tsx"), AFTER_DATA);
const BulkBar = lazyPart(() => import("./bulk-bar.tsx"), AFTER_DATA);
const OrderShortcuts = lazyPart(() => import("./order-shortcuts.tsx"), AFTER_DATA);
const NoTasks = loadable(async () => (await import("./no-tasks.tsx")).NoTasks, AFTER_DATA);
const NoMatch = loadable(async () => (await import("./no-tasks.tsx")).NoMatch, AFTER_DATA);

const OtherTasks = loadable(async () => (await import("./other-tasks.tsx")).OtherTasks);
export const TaskBoard = loadable(async () => (await import("./task-board.tsx")).TaskBoard);

const NONE: NewTaskDefaults = {};
/** At least as many of a list, and of each column of a board, as are seen at once. */
const FIRST_ITEMS = 60;
const FIRST_CARDS = 20;

interface TaskWorkspaceProps {
  /** The accessible name of the list. */
  readonly label: string;
  /** Shows only this project's tasks. */
  readonly projectId?: string;
  /** The explanation on an empty page. */
  readonly emptyText: string;
}

/** The main view of tasks: filter, quick add, and a list or a board. */
export function TaskWorkspace({ label, projectId, emptyText }: TaskWorkspaceProps) {
  const client = useClient();
  const search = useTaskSearch();
  const today = useToday();
  const [text, setText] = useTaskFilterText(search);
  const deferredText = useDeferredValue(text);
  const filter = useMemo<TaskFilter>(
    () => ({ ...search.filter, text: deferredText, ...(projectId !== undefined && { projectIds: [projectId] }) }),
    [search.filter, deferredText, projectId],
  );
  // Of the group to which a task is added, until quick add is left.
  const [added, setAdded] = useState<NewTaskDefaults>(NONE);
  const defaults = useMemo(() => ({ ...defaultsFrom(filter, today), ...added }), [filter, today, added]);
  const add = useCallback((given: NewTaskDefaults) => {
    setAdded(given);
    focusQuickAdd();
  }, []);
  const hasProject = projectId === undefined;
  useEffect(() => void preloadParts(client), [client]);
  const clear = () => {
    setText("");
    search.reset();
  };
  const noMatchState = <NoMatch onClear={clear} />;
  const emptyState = <NoTasks>{emptyText}</NoTasks>;
  const isByStatus =
    search.where === "" && (search.view === "board" || (search.view === "list" && search.group === "status"));
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <Suspense fallback={<div className="min-h-12 shrink-0 border-b border-border touch:min-h-14 max-md:min-h-24" />}>
        <FilterBar search={search} text={text} onText={setText} hasProject={hasProject} />
      </Suspense>
      <QuickAdd
        key={projectId ?? "tasks"}
        name={projectId ?? "tasks"}
        defaults={defaults}
        hasProject={hasProject}
        onLeave={() => setAdded(NONE)}
      />
      {isByStatus ? (
        <Tasks {...{ label, search, filter, hasProject, defaults, emptyState, noMatchState }} />
      ) : (
        <OtherTasks
          fallback={<SkeletonRows />}
          {...{ label, search, filter, projectId, defaults, emptyState, noMatchState }}
          onAdd={add}
        />
      )}
    </div>
  );
}

async function preloadParts(client: Client): Promise<void> {
  await firstData(client).shown;
  await preloadAll([TaskBoard, NewTaskChips, TitleEditor, RowParts, RowGrip]);
}

interface TasksProps {
  readonly label: string;
  readonly search: TaskSearchState;
  readonly filter: TaskFilter;
  readonly hasProject: boolean;
  readonly defaults: NewTaskDefaults;
  readonly emptyState: ReactNode;
  readonly noMatchState: ReactNode;
}

function Tasks({ label, search, filter, hasProject, defaults, emptyState, noMatchState }: TasksProps) {
  const { view, order } = search;
  const { tasks, isLoading, isComplete, error, retry } = useTasks();
  const today = useToday();
  const now = useSnoozeTime(tasks);
  const [collapsed, toggleGroup] = useCollapsedGroups();
  const matching = useMemo(() => filterTasks(tasks.values(), filter, today, now), [tasks, filter, today, now]);
  const countGroup = useGroupCounts(filter);
  const sorted = useMemo(
    () => groupByStatus(matching, order, view === "board" ? BOARD_STATUSES : STATUSES),
    [matching, order, view],
  );
  const groups = useMemo(() => sorted.map(countGroup), [sorted, countGroup]);
  const [folded, fold] = useFoldedTasks();
  const items = useMemo(
    () => (view === "board" ? [] : listItemsOf(outlineOf(groups, folded), collapsed)),
    [view, groups, folded, collapsed],
  );
  const ids = useMemo(
    () => (view === "board" ? groups.flatMap((group) => group.tasks.map((task) => task.id)) : taskIdsOf(items)),
    [view, groups, items],
  );
  const cursor = useTaskCursor(ids);
  useTaskShortcuts(cursor, { followsStatus: view === "board" });
  const created = useCreatedTask(ids, groups);
  useFirstRows("task", isComplete ? firstIdsOf(groups, items) : null);

  // Deferred, since React renders that in slices, between which the browser can do what else is waiting.
  const isReady = useDeferredValue(!isLoading);
  if (isLoading || !isReady) return view === "board" ? <BoardSkeleton /> : <SkeletonRows />;
  if (error !== null) return <ErrorState title="The tasks could not be loaded" error={error} onRetry={retry} />;
  if (matching.length === 0 && isComplete) {
    const isFiltered = isFiltering(hasProject ? filter : { ...filter, projectIds: [] });
    return isFiltered ? noMatchState : emptyState;
  }
  return (
    <>
      {view === "board" ? (
        <TaskBoard
          fallback={<BoardSkeleton />}
          groups={groups}
          cursor={cursor}
          created={created}
          hasProject={hasProject}
          defaults={defaults}
          isManual={order === "manual"}
        />
      ) : (
        <TaskList
          label={label}
          items={items}
          cursor={cursor}
          created={created}
          hasProject={hasProject}
          onToggleGroup={toggleGroup}
          onFold={fold}
          isManual={order === "manual"}
        />
      )}
      <Suspense>
        <BulkBar cursor={cursor} />
        <OrderShortcuts cursor={cursor} items={items} groups={groups} view={view} order={order} fold={fold} />
      </Suspense>
    </>
  );
}

/** The tasks that a screen shows at first. At least one of each group, without which a list has no header of it. */
function firstIdsOf(groups: readonly TaskGroup[], items: readonly ListItem[]): string[] {
  const ofGroup = items.length === 0 ? FIRST_CARDS : 1;
  const ids = groups.flatMap(({ tasks }) => tasks.slice(0, ofGroup).map(({ id }) => id));
  return [...new Set([...ids, ...taskIdsOf(items.slice(0, FIRST_ITEMS))])];
}

/** Returns a function that counts the matching tasks of a group, also those that are not loaded, as far as that is known. */
function useGroupCounts(filter: TaskFilter): (group: TaskGroup) => TaskGroup {
  const { isComplete, isTruncated } = useTasks();
  const { count } = useTaskCounts();
  return useCallback(
    (group) => {
      if (isComplete && !(isTruncated && group.status === "done")) return group;
      const { statuses, projectIds, ...others } = filter;
      if (isFiltering({ ...others, statuses: [], projectIds: [] })) return { ...group, count: undefined };
      if (statuses.length > 0 && !statuses.includes(group.status)) return group;
      const counts = projectIds.length === 0 ? [count(group.status)] : projectIds.map((id) => count(group.status, id));
      return { ...group, count: counts.includes(undefined) ? undefined : counts.reduce<number>(sum, 0) };
    },
    [filter, count, isComplete, isTruncated],
  );
}

function sum(total: number, count = 0): number {
  return total + count;
}
