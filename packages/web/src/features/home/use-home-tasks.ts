import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { readStored } from "../../browser/stored-value.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import type { Day } from "../../dates/day.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import { COPY_KEY } from "../../local-copy/local-copy.ts";
import { useSnoozeTime } from "../tasks/snooze.ts";
import { AGENDA_KEY, taskCollection, tasksQuery, useTasks, type TasksState } from "../tasks/task-collection.ts";
import { homeSections, SECTION_LIMIT, type HomeSection } from "./home-sections.ts";

/** The first tasks of each section, read into the collection before all others are, and how many each section has. */
function agendaQuery(client: Client, today: Day) {
  return queryOptions({
    queryKey: [...AGENDA_KEY, today],
    queryFn: async ({ signal }) => {
      const collection = taskCollection(client);
      const ticket = collection.startRead();
      const input = { timezone: localTimeZone(), limit: SECTION_LIMIT };
      const { data } = await client.api.tasks.agenda.query(input, { signal });
      collection.merge(
        data.flatMap(({ tasks }) => tasks),
        ticket,
      );
      return { ticket, totals: new Map(data.map(({ section, total }) => [section, total])) };
    },
    structuralSharing: false,
  });
}

/** Whether the copy in the browser has all tasks, so that there is nothing to wait for. */
function isInCopy(): boolean {
  return readStored(COPY_KEY) !== null;
}

/** Asks for the tasks that the page shows first, and then for all. */
export function requestHomeTasks(client: Client, today: Day): void {
  if (!isInCopy()) void client.queries.prefetchQuery(agendaQuery(client, today));
  void client.queries.prefetchQuery(tasksQuery(client));
}

interface HomeTasks extends TasksState {
  readonly sections: readonly HomeSection[];
  /** Whether the numbers of the sections are known. */
  readonly isCounted: boolean;
}

/** The tasks in the sections of the home page: those that the server names first, until all are loaded. */
export function useHomeTasks(today: Day): HomeTasks {
  const client = useClient();
  const state = useTasks();
  const { tasks, isComplete } = state;
  const now = useSnoozeTime(tasks);
  const isNeeded = !isComplete && !isInCopy();
  const { data: agenda } = useQuery({ ...agendaQuery(client, today), enabled: isNeeded });
  const totals = isComplete ? undefined : agenda?.totals;
  const loaded = useMemo(() => homeSections(tasks.values(), today, now), [tasks, today, now]);
  const sections = useMemo(
    () => loaded.map((section) => ({ ...section, total: totals?.get(section.name) ?? section.total })),
    [loaded, totals],
  );
  const collection = taskCollection(client);
  // What the user has changed since is not in the totals.
  const isUnchanged = collection.startRead() === agenda?.ticket && collection.stored === tasks;
  return {
    ...state,
    sections,
    isArriving: state.isArriving && agenda === undefined,
    isCounted: isComplete || (agenda !== undefined && isUnchanged),
  };
}
