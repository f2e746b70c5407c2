import { toRequestError } from "../../../api/request-error.ts";
import type { Client } from "../../../client/client.ts";
import type { Task } from "../task.ts";
import {
  fieldsInConflict,
  missingIn,
  pick,
  serverIdOf,
  toServer,
  type ChangeProblem,
  type KeptChange,
} from "./kept-change.ts";

const PRECONDITION_FAILED = 412;
const MAX_TRIES = 5;

/** `sent`: the server has it, and the task as it is there. `away`: it is to be sent later. */
export type SendResult =
  | { readonly kind: "sent"; readonly task: Task }
  | { readonly kind: "problem"; readonly problem: ChangeProblem }
  | { readonly kind: "away" };

/** Sends a change, unless the server has it already or somebody else has changed the same fields. */
export async function sendChange(client: Client, kept: KeptChange): Promise<SendResult> {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const result = await trySending(client, kept);
      if (result !== "overtaken") return result;
    }
    return { kind: "away" };
  } catch (error) {
    const { kind, message } = toRequestError(error);
    // The server may be overloaded, or somebody has to sign in first.
    if (kind === "no-response" || kind === "signed-out" || kind === "limited" || kind === "server")
      return { kind: "away" };
    return { kind: "problem", problem: { reason: message } };
  }
}

async function trySending(client: Client, { rowId, change }: KeptChange): Promise<SendResult | "overtaken"> {
  const { tasks } = client.api;
  const id = serverIdOf(rowId);
  if (change.kind === "create") {
    return { kind: "sent", task: (await tasks.create.mutate({ ...toServer(change.input), id })).data };
  }
  if (change.kind === "move") {
    return { kind: "sent", task: (await tasks.move.mutate({ ...toServer(change.place), id })).data };
  }
  const current = (await tasks.get.query({ id })).data;
  if (change.kind === "update") return update(client, current, change);
  if ((current.deletedAt !== null) === (change.kind === "delete")) return { kind: "sent", task: current };
  const { deletedAt } = (await tasks[change.kind].mutate({ id })).data;
  return { kind: "sent", task: { ...current, deletedAt } };
}

async function update(
  client: Client,
  current: Task,
  { patch, before }: Extract<KeptChange["change"], { kind: "update" }>,
): Promise<SendResult | "overtaken"> {
  if (current.deletedAt !== null)
    return {
      kind: "problem",
      problem: { reason: "The task has been deleted.", theirs: { deletedAt: current.deletedAt } },
    };
  const conflicts = fieldsInConflict(patch, before, current);
  if (conflicts.length > 0)
    return { kind: "problem", problem: { reason: "It was changed elsewhere, too.", theirs: pick(current, conflicts) } };
  const missing = toServer(missingIn(current, patch));
  if (Object.keys(missing).length === 0) return { kind: "sent", task: current };
  try {
    const { data } = await client.api.tasks.update.mutate({
      ...missing,
      id: current.id,
      expectedVersion: current.version,
    });
    return { kind: "sent", task: data };
  } catch (error) {
    if (toRequestError(error).status === PRECONDITION_FAILED) return "overtaken";
    throw error;
  }
}
