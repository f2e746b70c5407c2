import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import { createPager, cursorText, type Page, type Paging } from "../../platform/paging.ts";
import { selectParties } from "../task-filter/filter-names.queries.ts";
import { createFilterReader, filterContextIn } from "../task-filter/filter-reader.ts";
import { selectAgenda } from "./task-agenda.queries.ts";
import { selectGroupCounts, selectTaskCounts } from "./task-count.queries.ts";
import { selectTags } from "./task.queries.ts";
import type { AgendaSection, CountGroups, GroupCount, Party, ReadAgenda, TaskCount } from "./task.schema.ts";

const readTagPage = createPager("task-tags", z.tuple([cursorText]), (tag: string) => [tag]);

export interface TaskGroupServiceDeps extends Deps<"db" | "clock"> {
  /** The server's: that of the days in filters, unless they come with one. */
  readonly timeZone: string;
}

export type TaskGroupService = ReturnType<typeof createTaskGroupService>;

/** Numbers of tasks, those that matter today, and whom they can be meant for. */
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

    /** What is due, in progress and just done. Snoozed tasks are left out, and so is every section without tasks. */
    async readAgenda({ timezone = timeZone, limit }: ReadAgenda, me: string): Promise<AgendaSection[]> {
      return selectAgenda(db.pool, filterContextIn(timezone, clock.now(), me), limit);
    },

    /** Everybody and everything that tasks can be handed to. */
    async listParties(): Promise<Party[]> {
      return selectParties(db.pool);
    },
  };
}
