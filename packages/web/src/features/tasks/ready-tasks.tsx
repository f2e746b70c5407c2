import { useQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import { useMemo } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import { useFirstWeekday } from "../../dates/use-first-weekday.ts";
import { GroupedList } from "./grouped-list.tsx";
import type { NewTaskDefaults } from "./new-task-defaults.ts";
import type { NamedGroup } from "./task-groups.ts";
import type { Task } from "./task.ts";

const MAX_READY = 200;

interface ReadyTasksProps {
  readonly label: string;
  /** The expression that must hold. */
  readonly where: string;
  readonly projectId: string | undefined;
  /** The tasks that match the filter. */
  readonly matching: readonly Task[];
  readonly hasProject: boolean;
  readonly onAdd: (defaults: NewTaskDefaults) => void;
}

/** What is being worked on and by whom, and what can be begun next, in the order of the queue. */
export function ReadyTasks({ label, where, projectId, matching, hasProject, onAdd }: ReadyTasksProps) {
  const client = useClient();
  const firstWeekday = useFirstWeekday();
  const { data, error, isPending, refetch } = useQuery(
    trpc(client).tasks.ready.queryOptions({
      limit: MAX_READY,
      filter: where,
      timezone: localTimeZone(),
      firstWeekday,
      ...(projectId !== undefined && { projectId }),
    }),
  );
  const ready = data?.data;
  const groups = useMemo(() => readyGroups(matching, ready ?? []), [matching, ready]);
  if (isPending) return <SkeletonRows />;
  if (error !== null)
    return <ErrorState title="The queue could not be loaded" error={error} onRetry={() => void refetch()} />;
  if (groups.length === 0) {
    return (
      <EmptyState icon={<ListChecks size={20} />} title="Nothing is ready">
        Tasks that are to do, wait for nothing and are claimed by nobody appear here, the most urgent first.
      </EmptyState>
    );
  }
  return (
    <GroupedList
      label={label}
      groups={groups}
      countOf={({ tasks }) => tasks.length}
      hasProject={hasProject}
      onAdd={onAdd}
    />
  );
}

function readyGroups(matching: readonly Task[], ready: readonly Task[]): NamedGroup[] {
  const now = new Date().toISOString();
  const current = new Map(matching.map((task) => [task.id, task]));
  const claimed = matching.filter(({ claim, status }) => status !== "done" && claim !== null && claim.until > now);
  // What the page knows is newer than the queue as it was read.
  const next = ready.flatMap(({ id }) => current.get(id) ?? []).filter(({ status }) => status !== "done");
  const group = (key: string, name: string, tasks: readonly Task[]): NamedGroup[] =>
    tasks.length === 0 ? [] : [{ key, label: name, tasks, patchOf: null, defaults: null }];
  return [
    ...group("claimed", "Claimed", claimed),
    ...group(
      "ready",
      next.length === MAX_READY ? `Ready, the first ${MAX_READY}` : "Ready",
      next.filter((task) => !claimed.includes(task)),
    ),
  ];
}
