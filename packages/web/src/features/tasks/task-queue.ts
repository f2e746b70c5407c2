import type { Inputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";
import { taskCollection } from "./task-collection.ts";

/** Ends the claim of a task, so that others can begin it. Rejects with a RequestError. */
export async function releaseTask(client: Client, id: string): Promise<void> {
  const ticket = taskCollection(client).startRead();
  const { data } = await client.api.tasks.release.mutate({ id });
  taskCollection(client).merge([data], ticket);
}

/** Hands a task to a person, an agent or a key, or to whoever takes it. Rejects with a RequestError. */
export async function handOverTask(client: Client, input: Inputs["tasks"]["handOver"]): Promise<void> {
  const ticket = taskCollection(client).startRead();
  const { data } = await client.api.tasks.handOver.mutate(input);
  taskCollection(client).merge([data], ticket);
}
