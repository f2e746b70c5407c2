import { useMemo } from "react";
import { useTasks } from "./task-collection.ts";
import { isOpen } from "./task.ts";

export interface OpenTaskCounts {
  readonly total: number;
  readonly byProject: ReadonlyMap<string, number>;
}

/** The number of open tasks, in total and per project. */
export function useOpenTaskCounts(): OpenTaskCounts {
  const { tasks } = useTasks();
  return useMemo(() => {
    const byProject = new Map<string, number>();
    let total = 0;
    for (const task of tasks.values()) {
      if (!isOpen(task)) continue;
      total += 1;
      if (task.projectId !== null) byProject.set(task.projectId, (byProject.get(task.projectId) ?? 0) + 1);
    }
    return { total, byProject };
  }, [tasks]);
}
