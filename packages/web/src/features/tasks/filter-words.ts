import { mapConditions, ME, NONE, printFilter, type TaskFilter } from "@workspace/core/task-filter";

/** An expression as people read it, with the names of projects instead of their ids. */
export function wordsOfFilter(
  filter: TaskFilter,
  projects: readonly { readonly id: string; readonly name: string }[],
): string {
  const nameOf = (id: string) =>
    id === NONE || id === ME ? id : (projects.find((project) => project.id === id)?.name ?? id);
  return printFilter(
    mapConditions(filter, (condition) =>
      condition.field === "project" ? { ...condition, values: condition.values.map(nameOf) } : condition,
    ),
  );
}
