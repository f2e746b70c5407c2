import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { useTasks } from "./task-collection.ts";
import { isSnoozed, useSnoozeTime } from "./snooze.ts";
import { NO_PROJECT } from "./task-filter.ts";
import { OPEN_STATUSES, type Task, type TaskStatus } from "./task.ts";

/** Numbers of tasks that are not snoozed, which do not depend on how many of them happen to be loaded. */
export interface TaskCounts {
  /** In one project, in none ({@link NO_PROJECT}), or in all; undefined while the number is not known. */
  count(status: TaskStatus, projectId?: string): number | undefined;
  countOpen(projectId?: string): number | undefined;
}

type Counts = ReadonlyMap<string, number>;

function countsQuery(client: Client) {
  return queryOptions({
    queryKey: ["tasks", "counts"],
    queryFn: async ({ signal }) => {
      const counts = new Map<string, number>();
      const { data } = await client.api.tasks.counts.query(undefined, { signal });
      for (const { projectId, status, count, snoozed } of data) add(counts, status, projectId, count - snoozed);
      return counts;
    },
  });
}

/** Counted by the server for those that are not, or not yet, all loaded; otherwise here, with changes that are pending. */
export function useTaskCounts(): TaskCounts {
  const client = useClient();
  const { tasks, isComplete, isTruncated } = useTasks();
  const { data: remote } = useQuery({ ...countsQuery(client), enabled: !isComplete || isTruncated });
  const now = useSnoozeTime(tasks);
  return useMemo(() => {
    const local = isComplete ? countLoaded(tasks.values(), now) : undefined;
    const countsOf = (status: TaskStatus) => (isTruncated && status === "done" ? remote : (local ?? remote));
    const count = (status: TaskStatus, projectId = ALL) => {
      const counts = countsOf(status);
      return counts && (counts.get(`${status} ${projectId}`) ?? 0);
    };
    const countOpen = (projectId?: string) => {
      const numbers = OPEN_STATUSES.map((status) => count(status, projectId));
      return numbers.reduce((sum, number) => (sum === undefined || number === undefined ? undefined : sum + number), 0);
    };
    return { count, countOpen };
  }, [tasks, remote, now, isComplete, isTruncated]);
}

const ALL = "all";

/** Ten thousand tasks are counted on each change, so no key is made for each of them. */
function countLoaded(tasks: Iterable<Task>, now: number): Counts {
  const byProject = new Map<string | null, Map<TaskStatus, number>>();
  for (const task of tasks) {
    if (task.deletedAt !== null || isSnoozed(task, now)) continue;
    const byStatus = byProject.get(task.projectId) ?? new Map<TaskStatus, number>();
    if (byStatus.size === 0) byProject.set(task.projectId, byStatus);
    byStatus.set(task.status, (byStatus.get(task.status) ?? 0) + 1);
  }
  const counts = new Map<string, number>();
  for (const [projectId, byStatus] of byProject)
    for (const [status, count] of byStatus) add(counts, status, projectId, count);
  return counts;
}

function add(counts: Map<string, number>, status: TaskStatus, projectId: string | null, count: number): void {
  for (const where of [projectId ?? NO_PROJECT, ALL]) {
    const key = `${status} ${where}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
}
