import { foldText } from "../../platform/folded-text.ts";
import { isId } from "./filter-values.ts";
import { conditionsOf, FilterError, kindOf, mapConditions, ME, NONE, type TaskFilter } from "./task-filter.ts";

/** A project, or somebody who works on tasks, with the id by which tasks refer to it. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface FilterNames {
  readonly project: readonly Named[];
  readonly party: readonly Named[];
}

/** The kinds of names in a filter, which {@link withIds} needs. */
export function namesIn(filter: TaskFilter): ReadonlySet<keyof FilterNames> {
  const kinds = conditionsOf(filter).flatMap(({ field, values }) => {
    const kind = kindOf(field);
    return (kind === "project" || kind === "party") && values.some(isName) ? [kind] : [];
  });
  return new Set(kinds);
}

/** The filter with ids instead of names, whatever their case. Throws {@link FilterError} for a name that nothing has. */
export function withIds(filter: TaskFilter, names: FilterNames): TaskFilter {
  return mapConditions(filter, (condition) => {
    const kind = kindOf(condition.field);
    if (kind !== "project" && kind !== "party") return condition;
    const ids = condition.values.flatMap((value) => {
      if (!isName(value)) return [value];
      const wanted = foldText(value);
      const found = names[kind].filter(({ name }) => foldText(name) === wanted);
      if (found.length === 0) throw new FilterError(`${condition.field}: nothing is named “${value}”`);
      return found.map(({ id }) => id);
    });
    return { ...condition, values: [...new Set(ids)] };
  });
}

function isName(value: string): boolean {
  return value !== NONE && value !== ME && !isId(value);
}
