import { conditionOf, joinParts, printFilter } from "@workspace/core/task-filter";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Filter } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { trpc } from "../../api/trpc.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { useClient } from "../../client/use-client.ts";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import { useFirstWeekday } from "../../dates/use-first-weekday.ts";
import { useToday } from "../../dates/use-now.ts";
import { useFilterContext, useWhere } from "./filter-context.ts";
import { GroupedList } from "./grouped-list.tsx";
import type { NewTaskDefaults } from "./new-task-defaults.ts";
import { ReadyTasks } from "./ready-tasks.tsx";
import { TaskCalendar } from "./task-calendar.tsx";
import { useTasks } from "./task-collection.ts";
import { filterTasks, isFiltering, type TaskFilter } from "./task-filter.ts";
import { PhoneCalendar } from "./phone-calendar.tsx";
import { parseOrNull, quickConditions } from "./quick-conditions.ts";
import { groupTasks, upcomingGroups, type NamedGroup } from "./task-groups.ts";
import BulkBar from "./bulk-bar.tsx";
import { useCreatedTask } from "./created-task.ts";
import { TaskBoard } from "./task-board.tsx";
import { compareIn, groupByStatus, type TaskOrder } from "./task-order.ts";
import { BOARD_STATUSES, type Task } from "./task.ts";
import { useTaskCursor } from "./use-task-cursor.ts";
import { useTaskShortcuts } from "./use-task-shortcuts.ts";
import type { TaskSearchState } from "./use-task-search.ts";

interface OtherTasksProps {
  readonly label: string;
  readonly search: TaskSearchState;
  readonly filter: TaskFilter;
  readonly projectId: string | undefined;
  readonly defaults: NewTaskDefaults;
  readonly onAdd: (defaults: NewTaskDefaults) => void;
  readonly emptyState: ReactNode;
  readonly noMatchState: ReactNode;
}

/** The layouts other than a list or a board by status: by other groups, by day, as a calendar, and the queue. */
export function OtherTasks(props: OtherTasksProps) {
  const { label, search, filter, projectId, defaults, onAdd, emptyState, noMatchState } = props;
  const { view, order, group } = search;
  const { tasks, isLoading, isComplete, error, retry } = useTasks();
  const today = useToday();
  const context = useFilterContext();
  const where = useWhere(search.where);
  const isPhone = useMediaQuery(PHONE);
  const matching = useMemo(
    () => filterTasks(tasks.values(), filter, today, Date.parse(context.now)).filter(where?.matches ?? isNothing),
    [tasks, filter, today, context, where],
  );
  const groups = useMemo(
    () =>
      view === "upcoming" ? upcomingGroups(matching, today) : groupTasks(matching, group, context, compareIn(order)),
    [view, matching, today, group, context, order],
  );
  const countOf = useCounts(search, filter, projectId);
  if (isLoading || where === undefined) return <SkeletonRows />;
  if (error !== null) return <ErrorState title="The tasks could not be loaded" error={error} onRetry={retry} />;
  const hasProject = projectId === undefined;
  if (where.error !== null) return <Unreadable error={where.error} />;
  if (view === "board") return <BoardOf {...{ matching, order, hasProject, defaults }} />;
  if (view === "ready")
    return <ReadyTasks {...{ label, projectId, matching, hasProject, onAdd }} where={search.where} />;
  if (view === "calendar" && isPhone)
    return <PhoneCalendar {...{ label, search, hasProject, onAdd }} tasks={matching} />;
  if (view === "calendar") return <TaskCalendar tasks={matching} search={search} onAdd={onAdd} />;
  if (matching.length === 0 && isComplete && view !== "upcoming")
    return isFiltering(filter) || search.where !== "" ? noMatchState : emptyState;
  return <GroupedList label={label} groups={groups} countOf={countOf} hasProject={hasProject} onAdd={onAdd} />;
}

const isNothing = (): boolean => false;

function Unreadable({ error }: { readonly error: string }) {
  return (
    <EmptyState icon={<Filter size={20} />} title="The filter cannot be read">
      {error}
    </EmptyState>
  );
}

interface BoardOfProps extends Pick<OtherTasksProps, "defaults"> {
  readonly matching: readonly Task[];
  readonly order: TaskOrder;
  readonly hasProject: boolean;
}

function BoardOf({ matching, order, hasProject, defaults }: BoardOfProps) {
  const groups = useMemo(() => groupByStatus(matching, order, BOARD_STATUSES), [matching, order]);
  const ids = useMemo(() => groups.flatMap((group) => group.tasks.map((task) => task.id)), [groups]);
  const cursor = useTaskCursor(ids);
  const created = useCreatedTask(ids, groups);
  useTaskShortcuts(cursor, { followsStatus: true });
  return (
    <>
      <TaskBoard {...{ groups, cursor, created, hasProject, defaults }} isManual={order === "manual"} />
      <BulkBar cursor={cursor} />
    </>
  );
}

/** The numbers of the groups: of what is loaded if that is everything, otherwise as the server counts. */
function useCounts(
  { group, where, view }: TaskSearchState,
  filter: TaskFilter,
  projectId: string | undefined,
): (named: NamedGroup) => number | undefined {
  const client = useClient();
  const { isComplete, isTruncated } = useTasks();
  const isLocal = (isComplete && !isTruncated) || view !== "list";
  const firstWeekday = useFirstWeekday();
  const conditions = [
    parseOrNull(where),
    ...quickConditions({ ...filter, projectIds: projectId === undefined ? filter.projectIds : [projectId] }),
    filter.isSnoozed ? null : conditionOf("snoozed", "is", ["no"]),
  ].filter((part) => part !== null);
  const { data } = useQuery({
    ...trpc(client).tasks.groups.queryOptions({
      by: group,
      filter: printFilter(joinParts(conditions)),
      timezone: localTimeZone(),
      firstWeekday,
    }),
    enabled: !isLocal,
    placeholderData: keepPreviousData,
  });
  return ({ key, tasks }) => (isLocal ? tasks.length : data?.data.find((counted) => counted.key === key)?.count);
}
