import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import type { Task, TaskPatch } from "../tasks/task.ts";
import { loadLater } from "../../client/code-parts.ts";
import { conflictOf, missingEdit } from "./checklist-edit.ts";
import { fieldsInConflict, fieldsOf, missingIn, pick, serverIdOf, toServer, type KeptChange } from "./kept-change.ts";
import { sendProjectChange } from "./send-project-change.ts";
import { deletionProblem, seenAfter, seenTask } from "./seen-row.ts";
import { unlessOvertaken, type SendResult } from "./send-result.ts";

/** Most people change tasks more often than notes while they are away. */
const loadNotes = () => import("../documents/new-notes/send-note-change.ts");
loadLater(loadNotes);

const MAX_TRIES = 5;

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
    const isGone = kind === "missing" && !kept.change.kind.startsWith("create");
    return { kind: "problem", problem: { reason: message, isGone } };
  }
}

/** Forgets what was written in a note that is not to be created. */
export async function forgetNote(client: Client, { rowId }: KeptChange): Promise<void> {
  await (await loadNotes()).forgetText(client, rowId);
}

async function trySending(client: Client, { rowId, change }: KeptChange): Promise<SendResult | "overtaken"> {
  const { tasks } = client.api;
  const id = serverIdOf(rowId);
  switch (change.kind) {
    case "create":
      return sentFields((await tasks.create.mutate({ ...toServer(change.input), id })).data);
    case "move":
      return sent((await tasks.move.mutate({ ...toServer(change.place), id })).data);
    case "checklist":
      return sendEdit(client, id, change);
    case "comment":
      await tasks.comment.mutate({ id, commentId: change.commentId, text: change.text });
      await client.queries.invalidateQueries({ queryKey: ["tasks", "activity", id] });
      return { kind: "sent", row: {} };
    case "create-project":
    case "update-project":
    case "delete-project":
    case "restore-project":
      return sendProjectChange(client, rowId, change);
    case "create-note":
    case "delete-note":
    case "move-document":
    case "update-document":
    case "delete-document":
    case "restore-document":
      return (await loadNotes()).sendNoteChange(client, rowId, change);
    case "create-folder":
      return (await loadNotes()).sendFolder(client, change.path);
    case "update":
      return update(client, (await tasks.get.query({ id })).data, change);
    case "delete":
      return sendDeletion(client, (await tasks.get.query({ id })).data, change);
    case "restore":
      return sendRestoration(client, (await tasks.get.query({ id })).data);
  }
}

/** Deletes a task as it was seen, with what was changed of it here; never what others have made of it since. */
async function sendDeletion(
  client: Client,
  current: Task,
  change: Extract<KeptChange["change"], { kind: "delete" }>,
): Promise<SendResult | "overtaken"> {
  if (current.deletedAt !== null) return sent(current);
  const seen = seenTask(current);
  const problem = deletionProblem(change.seen, seen, { ...change, seen });
  if (problem !== null) return { kind: "problem", problem };
  const { id, version: expectedVersion } = current;
  const deleted = await unlessOvertaken(client.api.tasks.delete.mutate({ id, expectedVersion }));
  return deleted === "overtaken" ? deleted : sent({ ...current, deletedAt: deleted.data.deletedAt });
}

async function sendRestoration(client: Client, current: Task): Promise<SendResult> {
  if (current.deletedAt === null) return sent(current);
  const { deletedAt } = (await client.api.tasks.restore.mutate({ id: current.id })).data;
  return sent({ ...current, deletedAt });
}

function sent(task: Task): Extract<SendResult, { kind: "sent" }> {
  return { kind: "sent", row: { task } };
}

/**
 * With the fields that were sent to `former`, or all of a new task; later changes and deletions are made of what the server has made
 * of them.
 */
function sentFields(task: Task, sentTo?: { readonly patch: TaskPatch; readonly former: Task }): SendResult {
  const fields = sentTo && fieldsOf(sentTo.patch);
  return {
    ...sent(task),
    rebase: (later) => {
      if (later.kind === "delete" && later.seen !== undefined) {
        const seen = seenTask(task);
        return { ...later, seen: sentTo ? seenAfter(later.seen, seenTask(sentTo.former), seen) : seen };
      }
      if (later.kind !== "update") return later;
      const again = fieldsOf(later.patch).filter((field) => fields === undefined || fields.includes(field));
      return { ...later, before: { ...later.before, ...pick(task, again) } };
    },
  };
}

/** Edits a checklist, unless somebody else has changed the same items. */
async function sendEdit(
  client: Client,
  id: string,
  { edit, before }: Extract<KeptChange["change"], { kind: "checklist" }>,
): Promise<SendResult> {
  const { data: items } = await client.api.tasks.checklist.query({ id });
  const reason = conflictOf(edit, before, items);
  if (reason !== null) return { kind: "problem", problem: { reason, items } };
  const missing = missingEdit(items, edit);
  const checklist = missing === null ? items : (await client.api.tasks.changeChecklist.mutate({ id, ...missing })).data;
  client.queries.setQueryData(
    ["tasks", "details", id],
    (details: object | undefined) => details && { ...details, checklist },
  );
  return { kind: "sent", row: {} };
}

async function update(
  client: Client,
  current: Task,
  { patch, before }: Extract<KeptChange["change"], { kind: "update" }>,
): Promise<SendResult | "overtaken"> {
  if (current.deletedAt !== null)
    return {
      kind: "problem",
      problem: { reason: "The task has been deleted.", theirs: { deletedAt: current.deletedAt }, isGone: true },
    };
  const conflicts = fieldsInConflict(patch, before, current);
  if (conflicts.length > 0)
    return { kind: "problem", problem: { reason: "It was changed elsewhere, too.", theirs: pick(current, conflicts) } };
  const missing = toServer(missingIn(current, patch));
  const sentTo = { patch, former: { ...current, ...before } };
  if (Object.keys(missing).length === 0) return sentFields(current, sentTo);
  const { id, version: expectedVersion } = current;
  const updated = await unlessOvertaken(client.api.tasks.update.mutate({ ...missing, id, expectedVersion }));
  return updated === "overtaken" ? updated : sentFields(updated.data, sentTo);
}
