import type { Db } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { dayIn, startOfDay } from "../../platform/time-zone.ts";
import type { FilterContext } from "../../platform/filter/filter-days.ts";
import { conditionsOf, FilterError, type Filter, type FilterFields } from "../../platform/filter/filter.ts";
import { chosenFirstWeekday } from "../calendar-settings/first-weekday.ts";
import { namesIn, withIds } from "./filter-names.ts";
import { selectParties, selectProjectNames } from "./filter-names.queries.ts";
import { parseFilter, TASK_FIELDS, type TaskFilter } from "./task-fields.ts";

/** A filter with ids for names, and what its days and people are measured by: ready for a statement. */
export interface ReadFilter {
  readonly filter: TaskFilter | null;
  readonly context: FilterContext;
}

export interface FilterRequest {
  readonly filter?: string | undefined;
  readonly timezone?: string | undefined;
  readonly firstWeekday?: number | undefined;
}

export type FilterReader = ReturnType<typeof createFilterReader>;

/**
 * Returns the function that reads the filter of a request by the user with the id `me`. It throws {@link InvalidInputError} for one that
 * cannot be read, or that names what does not exist.
 */
export function createFilterReader({ db, clock, timeZone }: { db: Db; clock: Clock; timeZone: string }) {
  return async (request: FilterRequest, me: string | null): Promise<ReadFilter> => {
    const { filter: text = "", timezone = timeZone } = request;
    const context = filterContextIn(timezone, clock.now(), me);
    try {
      const filter = parseFilter(text);
      if (filter === null) return { filter, context };
      const firstWeekday = await firstWeekdayFor(db, filter, request.firstWeekday);
      return { filter: await withFoundIds(db, TASK_FIELDS, filter), context: { ...context, firstWeekday } };
    } catch (error) {
      if (error instanceof FilterError) throw InvalidInputError.at("filter", error.message);
      throw error;
    }
  };
}

/** What the days and people of a filter are measured by in a zone. */
export function filterContextIn(timeZone: string, now: Date, me: string | null): FilterContext {
  return {
    today: dayIn(timeZone, now),
    startOf: (day) => startOfDay(timeZone, day).toISOString(),
    now: now.toISOString(),
    me,
  };
}

/** With which day the weeks of a filter begin: the given one, or the chosen one, which is only read if there are weeks. */
export async function firstWeekdayFor(db: Db, filter: Filter, given: number | undefined): Promise<number | undefined> {
  const hasWeeks = conditionsOf(filter).some(({ values }) => values.some((value) => value.endsWith("-week")));
  return given ?? (hasWeeks ? chosenFirstWeekday(db.pool) : undefined);
}

/** As {@link withIds}, of the names that the database has. */
export async function withFoundIds<Field extends string>(
  db: Db,
  fields: FilterFields<Field>,
  filter: Filter<Field>,
  onUnknown?: (field: Field, value: string) => void,
): Promise<Filter<Field>> {
  const kinds = namesIn(fields, filter);
  if (kinds.size === 0) return filter;
  const [project, party] = await Promise.all([
    kinds.has("project") ? selectProjectNames(db.pool) : [],
    kinds.has("party") ? selectParties(db.pool) : [],
  ]);
  return withIds(fields, filter, { project, party }, onUnknown);
}
