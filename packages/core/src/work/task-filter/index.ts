/** What the dashboard uses of filters and groups, so that it decides as the server does. */
export { addDays, type FilterContext } from "../../platform/filter/filter-days.ts";
export {
  conditionsOf,
  FilterError,
  isCondition,
  joinParts,
  mapConditions,
  ME,
  NONE,
  OPEN,
  partsOf,
  type FilterOp,
} from "../../platform/filter/filter.ts";
export type { FilteredTask, PartyKind } from "./filtered-task.ts";
export { withIds } from "./filter-names.ts";
export { matcherOf } from "./match-filter.ts";
export {
  conditionOf,
  parseFilter,
  printFilter,
  TASK_FIELDS,
  type TaskCondition,
  type TaskField,
  type TaskFilter,
} from "./task-fields.ts";
export { DUE_GROUPS, groupKeyOf, TASK_GROUPINGS, type DueGroup, type TaskGrouping } from "./task-grouping.ts";
