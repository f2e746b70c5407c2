/** What the dashboard uses of filters and groups, so that it decides as the server does. */
export { addDays, type FilterContext } from "./filter-days.ts";
export type { FilteredTask, PartyKind } from "./filtered-task.ts";
export { parseFilter, printFilter } from "./filter-text.ts";
export { matcherOf } from "./match-filter.ts";
export {
  conditionsOf,
  FilterError,
  isCondition,
  joinParts,
  kindOf,
  mapConditions,
  ME,
  NONE,
  OPEN,
  partsOf,
  type Condition,
  type FilterField,
  type FilterOp,
  type TaskFilter,
} from "./task-filter.ts";
export { conditionOf } from "./filter-values.ts";
export { withIds } from "./filter-names.ts";
export { DUE_GROUPS, groupKeyOf, TASK_GROUPINGS, type DueGroup, type TaskGrouping } from "./task-grouping.ts";
