import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import type { Task, TaskPatch } from "../tasks/task.ts";
import { loadLater } from "../../client/code-parts.ts";
import { conflictOf, missingEdit } from "./checklist-edit.ts";
import { fieldsInConflict, fieldsOf, missingIn, pick, serverIdOf, toServer, type KeptChange } from "./kept-change.ts";
import { sendProjectChange } from "./send-project-change.ts";
import type { SendResult } from "./send-result.ts";

/** Most people change tasks more often than notes while they are away. */
const loadNotes = () => import("../documents/new-notes/send-note-change.ts");
loadLater(loadNotes);

const PRECONDITION_FAILED = 412;
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
    return { kind: "problem", problem: { reason: message } };
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
    case "restore":
      return sendDeletion(client, id, change.kind);
  }
}

async function sendDeletion(client: Client, id: string, kind: "delete" | "restore"): Promise<SendResult> {
  const { tasks } = client.api;
  const current = (await tasks.get.query({ id })).data;
  if ((current.deletedAt !== null) === (kind === "delete")) return sent(current);
  const { deletedAt } = (await tasks[kind].mutate({ id })).data;
  return sent({ ...current, deletedAt });
}

function sent(task: Task): Extract<SendResult, { kind: "sent" }> {
  return { kind: "sent", row: { task } };
}

/** With the fields that were sent, or all; a later change of them is made of what the server has made of them. */
function sentFields(task: Task, patch?: TaskPatch): SendResult {
  const fields = patch && fieldsOf(patch);
  return {
    ...sent(task),
    rebase: (later) => {
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
      problem: { reason: "The task has been deleted.", theirs: { deletedAt: current.deletedAt } },
    };
  const conflicts = fieldsInConflict(patch, before, current);
  if (conflicts.length > 0)
    return { kind: "problem", problem: { reason: "It was changed elsewhere, too.", theirs: pick(current, conflicts) } };
  const missing = toServer(missingIn(current, patch));
  if (Object.keys(missing).length === 0) return sentFields(current, patch);
  try {
    const { data } = await client.api.tasks.update.mutate({
      ...missing,
      id: current.id,
      expectedVersion: current.version,
    });
    return sentFields(data, patch);
  } catch (error) {
    if (toRequestError(error).status === PRECONDITION_FAILED) return "overtaken";
    throw error;
  }
}
