import { queryOptions, useQuery } from "@tanstack/react-query";
import { Collection } from "../../api/collection.ts";
import { toRequestError } from "../../api/request-error.ts";
import { trpcClient } from "../../api/trpc.ts";
import { useCollection } from "../../api/use-collection.ts";
import { yieldToBrowser } from "../../browser/platform.ts";
import { handleResourceChanges, refreshResource } from "../../realtime/resource-changes.ts";
import { OPEN_STATUSES, type Task, type TaskStatus } from "./task.ts";

/** Small, so that the first screen is there quickly; the rest follows in pages that each parse within a frame. */
const FIRST_PAGE_SIZE = 100;
const PAGE_SIZE = 500;
/** Of what is done, only so much is kept in the page; older tasks are found through the palette's search. */
const MAX_DONE = 10_000;

/** Every task that the page knows, deleted ones included once they have been seen. */
export const taskCollection = new Collection<Task>(looksAlike);

/** Reads all open tasks, then the newest of those that are done, into {@link taskCollection}. */
export const tasksQuery = queryOptions({
  queryKey: ["tasks", "active"],
  queryFn: ({ signal }) => readActiveTasks(signal),
  structuralSharing: false,
});

/** Reads the deleted tasks into {@link taskCollection}. */
export const deletedTasksQuery = queryOptions({
  queryKey: ["tasks", "deleted"],
  queryFn: ({ signal }) => readDeletedTasks(signal),
  structuralSharing: false,
});

/** More changed tasks than this are read with all the others. */
const MAX_READ_ONE_BY_ONE = 20;

handleResourceChanges("task", (changes) => {
  const ids = new Set(changes.map((change) => change.resourceId));
  if (ids.size > MAX_READ_ONE_BY_ONE) refreshResource("task");
  else for (const id of ids) void readTask(id);
});

/** Takes over a task as it is now. What cannot be read now is read with the others in time. */
async function readTask(id: string): Promise<void> {
  const ticket = taskCollection.startRead();
  try {
    const { data } = await trpcClient.tasks.get.query({ id });
    taskCollection.merge([data], ticket);
  } catch (error) {
    if (toRequestError(error).kind === "missing") taskCollection.prune((task) => task.id === id, ticket);
  }
}

/** One task, which may be deleted or too old to have been read with the others. */
export function taskQuery(id: string) {
  return queryOptions({
    queryKey: ["tasks", "one", id],
    queryFn: async ({ signal }) => {
      const ticket = taskCollection.startRead();
      const { data } = await trpcClient.tasks.get.query({ id }, { signal });
      taskCollection.merge([data], ticket);
      return data.id;
    },
  });
}

export interface TasksState {
  readonly tasks: ReadonlyMap<string, Task>;
  /** Nothing is known yet. */
  readonly isLoading: boolean;
  /** Everything is known; until then more is being read. */
  readonly isComplete: boolean;
  /** Why nothing could be read; null where there is something to show. */
  readonly error: Error | null;
  retry(): void;
}

/** All tasks that are known, kept fresh while anybody looks. */
export function useTasks(): TasksState {
  const { isPending, isSuccess, error, refetch } = useQuery(tasksQuery);
  const tasks = useCollection(taskCollection);
  return {
    tasks,
    isLoading: isPending && tasks.size === 0,
    isComplete: isSuccess,
    error: tasks.size === 0 ? error : null,
    retry: () => void refetch(),
  };
}

async function readActiveTasks(signal: AbortSignal): Promise<{ isTruncated: boolean }> {
  const ticket = taskCollection.startRead();
  const seen = new Set<string>();
  const read = async (status: readonly TaskStatus[], max: number) => {
    for await (const page of readPages({ status: [...status] }, signal)) {
      taskCollection.merge(page, ticket);
      page.forEach((task) => seen.add(task.id));
      if (seen.size >= max) return true;
    }
    return false;
  };
  await read(OPEN_STATUSES, Infinity);
  const isTruncated = await read(["done"], seen.size + MAX_DONE);
  if (!isTruncated) taskCollection.prune((task) => task.deletedAt === null && !seen.has(task.id), ticket);
  return { isTruncated };
}

async function readDeletedTasks(signal: AbortSignal): Promise<{ count: number }> {
  const ticket = taskCollection.startRead();
  const seen = new Set<string>();
  for await (const page of readPages({ includeDeleted: true }, signal)) {
    const deleted = page.filter((task) => task.deletedAt !== null);
    taskCollection.merge(deleted, ticket);
    deleted.forEach((task) => seen.add(task.id));
  }
  taskCollection.prune((task) => task.deletedAt !== null && !seen.has(task.id), ticket);
  return { count: seen.size };
}

async function* readPages(
  filter: { status?: TaskStatus[]; includeDeleted?: boolean },
  signal: AbortSignal,
): AsyncGenerator<Task[]> {
  let cursor: string | undefined;
  do {
    const limit = cursor === undefined ? FIRST_PAGE_SIZE : PAGE_SIZE;
    const page = await trpcClient.tasks.list.query({ ...filter, limit, cursor }, { signal });
    yield page.data;
    cursor = page.nextCursor;
    await yieldToBrowser();
  } while (cursor !== undefined);
}

function looksAlike(a: Task, b: Task): boolean {
  return (
    a.modifiedAt === b.modifiedAt &&
    a.deletedAt === b.deletedAt &&
    a.project?.name === b.project?.name &&
    a.project?.color === b.project?.color
  );
}
