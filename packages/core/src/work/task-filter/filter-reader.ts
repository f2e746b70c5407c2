import type { Db } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { dayIn, startOfDay } from "../../platform/time-zone.ts";
import type { FilterContext } from "./filter-days.ts";
import { namesIn, withIds } from "./filter-names.ts";
import { parseFilter } from "./filter-text.ts";
import { selectParties, selectProjectNames } from "./filter-names.queries.ts";
import { FilterError, type TaskFilter } from "./task-filter.ts";

/** A filter with ids for names, and what its days and people are measured by: ready for a statement. */
export interface ReadFilter {
  readonly filter: TaskFilter | null;
  readonly context: FilterContext;
}

export interface FilterRequest {
  readonly filter?: string | undefined;
  readonly timezone?: string | undefined;
}

export type FilterReader = ReturnType<typeof createFilterReader>;

/**
 * Returns the function that reads the filter of a request by the user with the id `me`. It throws {@link InvalidInputError} for one that
 * cannot be read, or that names what does not exist.
 */
export function createFilterReader({ db, clock, timeZone }: { db: Db; clock: Clock; timeZone: string }) {
  return async ({ filter: text = "", timezone = timeZone }: FilterRequest, me: string | null): Promise<ReadFilter> => {
    const now = clock.now();
    const context = {
      today: dayIn(timezone, now),
      startOf: (day: string) => startOfDay(timezone, day).toISOString(),
      now: now.toISOString(),
      me,
    };
    try {
      const filter = parseFilter(text);
      if (filter === null) return { filter, context };
      const kinds = namesIn(filter);
      const [project, party] = await Promise.all([
        kinds.has("project") ? selectProjectNames(db.pool) : [],
        kinds.has("party") ? selectParties(db.pool) : [],
      ]);
      return { filter: withIds(filter, { project, party }), context };
    } catch (error) {
      if (error instanceof FilterError) throw InvalidInputError.at("filter", error.message);
      throw error;
    }
  };
}
