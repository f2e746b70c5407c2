import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import { createPager, cursorText, type Page, type Paging } from "../../platform/paging.ts";
import { selectParties } from "../task-filter/filter-names.queries.ts";
import { createFilterReader } from "../task-filter/filter-reader.ts";
import { selectGroupCounts, selectTaskCounts } from "./task-count.queries.ts";
import { selectTags } from "./task.queries.ts";
import type { CountGroups, GroupCount, Party, TaskCount } from "./task.schema.ts";

const readTagPage = createPager("task-tags", z.tuple([cursorText]), (tag: string) => [tag]);

export interface TaskGroupServiceDeps extends Deps<"db" | "clock"> {
  /** The server's: that of the days in filters, unless they come with one. */
  readonly timeZone: string;
}

export type TaskGroupService = ReturnType<typeof createTaskGroupService>;

/** Numbers of tasks, and whom they can be meant for. */
export function createTaskGroupService({ db, clock, timeZone }: TaskGroupServiceDeps) {
  const readFilter = createFilterReader({ db, clock, timeZone });
  return {
    /** The tags of tasks that are not deleted, alphabetically. */
    async listTags(paging: Paging = {}): Promise<Page<string>> {
      return readTagPage(paging, (range) => selectTags(db.pool, range));
    },

    /** Of each status in each project, and in none. */
    async countAll(): Promise<TaskCount[]> {
      return selectTaskCounts(db.pool);
    },

    /** How many tasks match, in each group. `me` is the user whom the filter can mean. */
    async countGroups({ by, ...request }: CountGroups, me: string): Promise<GroupCount[]> {
      return selectGroupCounts(db.pool, by, await readFilter(request, me));
    },

    /** Everybody and everything that tasks can be handed to. */
    async listParties(): Promise<Party[]> {
      return selectParties(db.pool);
    },
  };
}
