import { compareNames } from "../../lib/compare-names.ts";
import { useMemo } from "react";
import { useTasks } from "./task-collection.ts";

/** The tags of all tasks that are not deleted, sorted by name. */
export function useTagsInUse(): readonly string[] {
  const { tasks } = useTasks();
  return useMemo(() => {
    const tags = new Set<string>();
    for (const task of tasks.values()) if (task.deletedAt === null) task.tags.forEach((tag) => tags.add(tag));
    return [...tags].toSorted(compareNames);
  }, [tasks]);
}
