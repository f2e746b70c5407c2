import { queryOptions } from "@tanstack/react-query";
import type { Outputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";
import { taskCollection } from "./task-collection.ts";

export type TaskBlocks = Outputs["tasks"]["blocks"]["data"];

const blocksKey = (id: string) => ["tasks", "blocks", id];

/** What a task waits for, and what waits for it. */
export function taskBlocksQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: blocksKey(id),
    queryFn: async ({ signal }) => (await client.api.tasks.blocks.query({ id }, { signal })).data,
  });
}

/** Ends the claim of a task, so that others can begin it. Rejects with a RequestError. */
export async function releaseTask(client: Client, id: string): Promise<void> {
  const ticket = taskCollection(client).startRead();
  const { data } = await client.api.tasks.release.mutate({ id });
  taskCollection(client).merge([data], ticket);
}

/** Replaces what a task waits for. Rejects with a RequestError. */
export async function setBlockers(client: Client, id: string, blockedBy: readonly string[]): Promise<void> {
  const { data } = await client.api.tasks.setBlockers.mutate({ id, blockedBy: [...blockedBy] });
  client.queries.setQueryData(blocksKey(id), data);
}
