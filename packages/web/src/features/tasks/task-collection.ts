import { queryOptions, useQuery } from "@tanstack/react-query";
import { collectionQuery, readPages } from "../../api/collection-query.ts";
import { refreshRows } from "../../api/refresh-rows.ts";
import { toRequestError } from "../../api/request-error.ts";
import { useCollection } from "../../api/use-collection.ts";
import { yieldToBrowser } from "../../browser/yield-to-browser.ts";
import type { Client } from "../../client/client.ts";
import { firstData } from "../../client/first-data.ts";
import { collectionPart } from "../../client/collection-part.ts";
import { keepRows } from "../../local-copy/local-copy.ts";
import { positionOf, progressPart } from "../../realtime/read-progress.ts";
import { BULK_ID } from "../../realtime/resource-changes.ts";
import { useClient } from "../../client/use-client.ts";
import type { ResourceChange } from "../../resources/resource-change.ts";
import { OPEN_STATUSES, type Task, type TaskStatus } from "./task.ts";

const PAGE_SIZES = { first: 100, next: 500 };
/** The most done tasks that are loaded; older ones are found through the palette's search. */
const MAX_DONE = 10_000;
/** With more changed tasks than this, all tasks are refetched instead. */
const MAX_INDIVIDUAL_READS = 20;
/** After an absence, so many are still read one by one. */
const MAX_CHANGED = 300;

const TASKS_KEY = ["tasks", "active"];
/** Of the query for the tasks that Home shows first. */
export const AGENDA_KEY = ["tasks", "agenda"];

/** All tasks that the page has loaded, including deleted ones once they have been seen. */
export const taskCollection = collectionPart<Task>(isEquivalent, (client) =>
  client.changes.handle("task", (changes) => takeChanges(client, changes)),
);

interface Loaded {
  readonly isTruncated: boolean;
}

/** Up to which change the tasks are known. */
export const taskProgress = progressPart<Loaded>();

/** Loads all open tasks, then the newest done ones, into {@link taskCollection}. */
export function tasksQuery(client: Client) {
  return queryOptions({
    queryKey: TASKS_KEY,
    queryFn: async ({ signal }) => {
      const collection = taskCollection(client);
      const progress = taskProgress(client);
      await keepRows(client, { name: "task", collection, progress, belongs: ({ deletedAt }) => deletedAt === null });
      if (progress.details !== undefined) client.queries.setQueryData(TASKS_KEY, progress.details);
      return refreshRows(client, {
        progress,
        resource: "task",
        shown: ["project"],
        maxChanged: MAX_CHANGED,
        readAll: () => readActiveTasks(client, signal),
        readSome: (ids) => readTasks(client, ids),
      });
    },
    structuralSharing: false,
  });
}

/** Loads the deleted tasks into {@link taskCollection}. */
export function deletedTasksQuery(client: Client) {
  return collectionQuery(taskCollection(client), {
    queryKey: ["tasks", "deleted"],
    read: (signal) =>
      readPages((part) => client.api.tasks.list.query({ ...part, onlyDeleted: true }, { signal }), PAGE_SIZES),
    belongs: (task) => task.deletedAt !== null,
  });
}

function takeChanges(client: Client, changes: readonly ResourceChange[]): void {
  const ids = new Set(changes.map((change) => change.resourceId));
  for (const part of ["details", "linked", "activity", "counts", "reminders", "agenda"])
    void client.queries.invalidateQueries({ queryKey: ["tasks", part] });
  const last = changes.at(-1);
  if (ids.size > MAX_INDIVIDUAL_READS || ids.has(BULK_ID)) client.changes.refresh("task");
  // If that fails, they are read with the next changes.
  else if (last !== undefined) void taskProgress(client).follow(positionOf(last), () => readTasks(client, [...ids]));
}

/** Reads the current state of tasks. */
export async function readTasks(client: Client, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => readTask(client, id)));
}

async function readTask(client: Client, id: string, { hasParents = true } = {}): Promise<void> {
  const ticket = taskCollection(client).startRead();
  const former = taskCollection(client).get(id)?.parentId ?? null;
  try {
    const { data } = await client.api.tasks.get.query({ id });
    taskCollection(client).merge([data], ticket);
    // They count their subtasks.
    if (hasParents)
      for (const parentId of new Set([former, data.parentId]))
        if (parentId !== null) await readTask(client, parentId, { hasParents: false });
  } catch (error) {
    if (toRequestError(error).kind !== "missing") throw error;
    taskCollection(client).prune((task) => task.id === id, ticket);
  }
}

/** One task, which may be deleted or too old to have been loaded with the others. */
export function taskQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ["tasks", "one", id],
    queryFn: async ({ signal }) => {
      const ticket = taskCollection(client).startRead();
      const { data } = await client.api.tasks.get.query({ id }, { signal });
      taskCollection(client).merge([data], ticket);
      return data.id;
    },
  });
}

export interface TasksState {
  readonly tasks: ReadonlyMap<string, Task>;
  /** No data has been loaded yet. */
  readonly isLoading: boolean;
  /** More is on its way. */
  readonly isArriving: boolean;
  /** Everything has been loaded. */
  readonly isComplete: boolean;
  /** Only the newest done tasks are loaded, since there are very many. */
  readonly isTruncated: boolean;
  /** Why loading failed; null while there is something to show. */
  readonly error: Error | null;
  retry(): void;
}

/** All loaded tasks, kept up to date while mounted. */
export function useTasks(): TasksState {
  const client = useClient();
  const { data, isPending, isFetching, error, refetch } = useQuery(tasksQuery(client));
  const tasks = useCollection(taskCollection(client));
  return {
    tasks,
    isLoading: isPending && tasks.size === 0,
    isArriving: isFetching && data === undefined,
    isComplete: data !== undefined,
    isTruncated: data?.isTruncated === true,
    error: tasks.size === 0 ? error : null,
    retry: () => void refetch(),
  };
}

/** Those that are shown first are asked for by themselves; all others would delay them. */
async function waitForAgenda(client: Client): Promise<void> {
  const pending = client.queries.getQueryCache().findAll({ queryKey: AGENDA_KEY, fetchStatus: "fetching" });
  if (pending.length === 0) return;
  await Promise.allSettled(pending.map(async ({ promise }) => promise));
  await firstData(client).shown;
}

async function readActiveTasks(client: Client, signal: AbortSignal): Promise<Loaded> {
  await waitForAgenda(client);
  const collection = taskCollection(client);
  const ticket = collection.startRead();
  const seen = new Set<string>();
  let unshown: Task[] = [];
  const show = () => {
    collection.merge(unshown, ticket);
    unshown = [];
  };
  const read = async (status: readonly TaskStatus[], max: number) => {
    const pages = readPages(
      (part) => client.api.tasks.list.query({ ...part, status: [...status] }, { signal }),
      PAGE_SIZES,
    );
    for await (const page of pages) {
      unshown.push(...page);
      page.forEach((task) => seen.add(task.id));
      // Whatever shows them sorts and counts all of them again, so each time there are twice as many.
      if (unshown.length * 2 >= seen.size) show();
      if (seen.size >= max) return true;
    }
    show();
    return false;
  };
  await read(OPEN_STATUSES, Infinity);
  const isTruncated = await read(["done"], seen.size + MAX_DONE);
  show();
  // They are counted once all are known; that comes after what shows them.
  await yieldToBrowser();
  if (!isTruncated) collection.prune((task) => task.deletedAt === null && !seen.has(task.id), ticket);
  return { isTruncated };
}

function isEquivalent(a: Task, b: Task): boolean {
  return (
    a.modifiedAt === b.modifiedAt &&
    a.claim?.until === b.claim?.until &&
    a.deletedAt === b.deletedAt &&
    a.position === b.position &&
    a.subtasks.done === b.subtasks.done &&
    a.subtasks.total === b.subtasks.total &&
    a.project?.name === b.project?.name &&
    a.project?.color === b.project?.color
  );
}
