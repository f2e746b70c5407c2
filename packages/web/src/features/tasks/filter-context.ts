import { useQuery } from "@tanstack/react-query";
import type { FilterContext } from "@workspace/core/task-filter";
import { useMemo } from "react";
import { sessionQuery } from "../../api/session.ts";
import { useClient } from "../../client/use-client.ts";
import { toPlainDate } from "../../dates/day.ts";
import { useFirstWeekday } from "../../dates/use-first-weekday.ts";
import { useToday } from "../../dates/use-now.ts";
import { useProjects } from "../projects/project-collection.ts";
import { useSnoozeTime } from "./snooze.ts";
import { useTasks } from "./task-collection.ts";
import type { Task } from "./task.ts";

/** The days and the person that filters and groups are measured by, where the person is. */
export function useFilterContext(): FilterContext {
  const client = useClient();
  const { tasks } = useTasks();
  const today = toPlainDate(useToday());
  const now = useSnoozeTime(tasks);
  const { data: user } = useQuery(sessionQuery(client));
  const me = user?.id ?? null;
  const firstWeekday = useFirstWeekday();
  return useMemo(
    () => ({ today, firstWeekday, startOf: localStartOf, now: new Date(now).toISOString(), me }),
    [today, firstWeekday, now, me],
  );
}

function localStartOf(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).toISOString();
}

/** What an expression means; the error if it cannot be read. */
export interface Where {
  readonly matches: (task: Task) => boolean;
  readonly error: string | null;
}

const EVERYTHING: Where = { matches: () => true, error: null };

/** The tasks for which an expression holds, by the rules of the server; undefined until these are loaded. */
export function useWhere(text: string): Where | undefined {
  const context = useFilterContext();
  const { tasks } = useTasks();
  const { rows: projects } = useProjects();
  const { data: rules } = useQuery({
    queryKey: ["code", "task-filter"],
    queryFn: () => import("@workspace/core/task-filter"),
    enabled: text !== "",
    staleTime: Infinity,
    structuralSharing: false,
  });
  return useMemo(() => {
    if (text === "") return EVERYTHING;
    if (rules === undefined) return undefined;
    try {
      const filter = rules.parseFilter(text);
      const named =
        filter && rules.withIds(rules.TASK_FIELDS, filter, { project: projects, party: peopleOf(tasks.values()) });
      return { matches: rules.matcherOf(named, context), error: null };
    } catch (error) {
      if (!(error instanceof rules.FilterError)) throw error;
      return { matches: () => false, error: error.message };
    }
  }, [text, rules, projects, tasks, context]);
}

function peopleOf(tasks: Iterable<Task>): { id: string; name: string }[] {
  const people = new Map<string, string>();
  for (const { creator, assignee } of tasks) {
    people.set(creator.id, creator.name);
    if (assignee !== null) people.set(assignee.id, assignee.name);
  }
  return [...people].map(([id, name]) => ({ id, name }));
}
