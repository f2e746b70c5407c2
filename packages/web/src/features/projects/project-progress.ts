import { useMemo } from "react";
import { useTasks } from "../tasks/task-collection.ts";

export interface ProjectProgress {
  readonly open: number;
  readonly done: number;
}

/** The number of open and done tasks of each project. */
export function useProjectProgress(): ReadonlyMap<string, ProjectProgress> {
  const { tasks } = useTasks();
  return useMemo(() => {
    const progress = new Map<string, ProjectProgress>();
    for (const { projectId, status, deletedAt } of tasks.values()) {
      if (projectId === null || deletedAt !== null) continue;
      const { open, done } = progress.get(projectId) ?? { open: 0, done: 0 };
      progress.set(projectId, status === "done" ? { open, done: done + 1 } : { open: open + 1, done });
    }
    return progress;
  }, [tasks]);
}
