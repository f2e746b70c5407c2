import { queryOptions } from "@tanstack/react-query";
import { newUuid } from "../../api/local-id.ts";
import type { Client } from "../../client/client.ts";
import { sendOrKeep } from "./task-actions.ts";
import { taskCollection } from "./task-collection.ts";

/** The first parts of the key of a task's activity, which changes with every change of the task. */
export const ACTIVITY_KEY = ["tasks", "activity"] as const;

export const newCommentDraft = (taskId: string) => `comment.new.${taskId}`;
export const editedCommentDraft = (commentId: string) => `comment.${commentId}`;

/** The users and agents that a comment can mention. */
export function mentionableQuery(client: Client) {
  return queryOptions({
    queryKey: ["tasks", "mentionable"],
    queryFn: async ({ signal }) => (await client.api.tasks.mentionable.query(undefined, { signal })).data,
  });
}

/** One change, which never changes itself, with the whole descriptions. */
export function changeQuery(client: Client, taskId: string, changeId: string, version: string) {
  return queryOptions({
    queryKey: ["tasks", "change", taskId, changeId, version],
    queryFn: async ({ signal }) => (await client.api.tasks.change.query({ id: taskId, changeId }, { signal })).data,
  });
}

async function refetchActivity(client: Client): Promise<void> {
  await client.queries.invalidateQueries({ queryKey: ACTIVITY_KEY });
}

/** Adds a comment, which is kept while the server is away. Rejects with a RequestError. */
export async function addComment(client: Client, taskId: string, text: string): Promise<void> {
  const commentId = newUuid();
  await sendOrKeep(client, taskId, { kind: "comment", commentId, text, at: new Date().toISOString() }, () =>
    client.api.tasks.comment.mutate({ id: taskId, commentId, text }),
  );
  await refetchActivity(client);
}

/** Rejects with a RequestError. */
export async function editComment(client: Client, taskId: string, commentId: string, text: string): Promise<void> {
  await client.api.tasks.editComment.mutate({ id: taskId, commentId, text });
  await refetchActivity(client);
}

/** Rejects with a RequestError. */
export async function deleteComment(client: Client, taskId: string, commentId: string): Promise<void> {
  await client.api.tasks.deleteComment.mutate({ id: taskId, commentId });
  await refetchActivity(client);
}

/** Rejects with a RequestError, if a field has been changed since. */
export async function undoChange(client: Client, taskId: string, changeId: string): Promise<void> {
  const ticket = taskCollection(client).startRead();
  const { data } = await client.api.tasks.undoChange.mutate({ id: taskId, changeId });
  taskCollection(client).merge([data], ticket);
  await refetchActivity(client);
}
