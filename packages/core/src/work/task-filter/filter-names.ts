import { foldText } from "../../platform/folded-text.ts";
import { isId } from "../../platform/filter/filter-values.ts";
import {
  conditionsOf,
  FilterError,
  mapConditions,
  ME,
  NONE,
  type Condition,
  type Filter,
  type FilterFields,
} from "../../platform/filter/filter.ts";

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
export function namesIn<Field extends string>(
  { kindOf }: FilterFields<Field>,
  filter: Filter<Field>,
): ReadonlySet<keyof FilterNames> {
  const kinds = conditionsOf(filter).flatMap((condition) => {
    const kind = kindOf(condition.field);
    return (kind === "project" || kind === "party") && hasName(condition) ? [kind] : [];
  });
  return new Set(kinds);
}

/**
 * The filter with ids instead of names, or of parts of names, whatever their case. For a whole name that nothing has, `onUnknown` is
 * called, which throws {@link FilterError} unless it is given.
 */
export function withIds<Field extends string>(
  { kindOf }: FilterFields<Field>,
  filter: Filter<Field>,
  names: FilterNames,
  onUnknown: (field: Field, value: string) => void = throwUnknown,
): Filter<Field> {
  return mapConditions(filter, (condition) => {
    const { field, op, values } = condition;
    const kind = kindOf(field);
    if ((kind !== "project" && kind !== "party") || !hasName(condition)) return condition;
    const ids = values.flatMap((value) => {
      if (op === "is" && !isName(value)) return [value];
      const wanted = foldText(value);
      const found = names[kind].filter(({ name }) => matches(foldText(name), op, wanted));
      if (found.length === 0 && op === "is") onUnknown(field, value);
      return found.map(({ id }) => id);
    });
    return { field, op: "is", values: [...new Set(ids)] };
  });
}

function throwUnknown(field: string, value: string): never {
  throw new FilterError(`${field}: nothing is named “${value}”`);
}

function matches(name: string, op: Condition["op"], wanted: string): boolean {
  if (op === "has") return name.includes(wanted);
  return op === "begins" ? name.startsWith(wanted) : name === wanted;
}

/** Whether names have to be found for a condition. */
function hasName({ op, values }: Condition): boolean {
  return op !== "is" || values.some(isName);
}

function isName(value: string): boolean {
  return value !== NONE && value !== ME && !isId(value);
}
