import { toRequestError } from "../../../api/request-error.ts";
import type { Client } from "../../../client/client.ts";
import { projectCollection } from "../../projects/project-collection.ts";
import { isSame, type DocumentChange, type KeptChange } from "../../outbox/kept-change.ts";
import type { SendResult } from "../../outbox/send-result.ts";
import { saveText } from "../session/abandoned-drafts.ts";
import { documentCollection } from "../document-collection.ts";
import { shownName, type DetailsPatch, type OpenDocument } from "../document.ts";
import { openSessions } from "../session/open-sessions.ts";
import { parentOf } from "../vault/vault-path.ts";
import { freePathBeside } from "../vault/vault-store.ts";
import { contentOf } from "./document-content.ts";

const CONFLICT = 409;
const PRECONDITION_FAILED = 412;
const KEEP_THEIRS = "Keep theirs";
const DELETED = { kind: "problem", problem: { reason: "It has been deleted elsewhere.", isGone: true } } as const;

type Change<Kind extends DocumentChange["kind"]> = Extract<DocumentChange, { readonly kind: Kind }>;
type Result = SendResult | "overtaken";

/** Sends a change of a document, unless the server has it already or somebody else has changed the same. */
export async function sendDocumentChange(client: Client, id: string, change: DocumentChange): Promise<Result> {
  switch (change.kind) {
    case "move-document":
      return sendMove(client, id, change);
    case "update-document":
      return sendUpdate(client, id, change);
    case "delete-document":
      return sendDeletion(client, id, change);
    case "restore-document":
      return sendRestoration(client, id, change);
  }
}

async function sendMove(client: Client, id: string, change: Change<"move-document">): Promise<Result> {
  const before = await read(client, id);
  if (before === null || before.document.deletedAt !== null) return DELETED;
  const { path, contentHash } = before.document;
  if (path === change.path) return sent(before);
  const formerPaths = [...new Set([...change.formerPaths, path])];
  if (!change.formerPaths.includes(path)) {
    const instead = { label: "Save mine", otherwise: KEEP_THEIRS, change: { ...change, formerPaths } };
    const isRenamed = change.formerPaths.some((former) => parentOf(former) === parentOf(path));
    const reason = `It was ${isRenamed ? "renamed" : "moved"} elsewhere, too. There: “${path}”. Yours: “${change.path}”.`;
    return { kind: "problem", problem: { reason, instead } };
  }
  // Links are changed in what the server has.
  await openSessions(client).flush();
  try {
    await client.api.fs.rename.mutate({ oldPath: `/${path}`, newPath: `/${change.path}` });
  } catch (error) {
    const { kind, status, message } = toRequestError(error);
    // It was moved or deleted a moment ago.
    if (kind === "missing") return "overtaken";
    if (status !== CONFLICT) throw error;
    const free = freePathBeside(client, change.path);
    const again: DocumentChange = { ...change, path: free, formerPaths: [...formerPaths, change.path] };
    const instead = { label: `Name it “${shownName(free)}”`, otherwise: "Discard", change: again };
    return { kind: "problem", problem: { reason: message, instead } };
  }
  const after = await read(client, id);
  if (after === null) return DELETED;
  openSessions(client).publish(after);
  return { ...sent(after), rebase: (later) => withSeenHash(later, contentHash, after) };
}

async function sendUpdate(client: Client, id: string, change: Change<"update-document">): Promise<Result> {
  const current = await read(client, id);
  if (current === null || current.document.deletedAt !== null) return DELETED;
  const { contentHash } = current.document;
  const { patch, before, earlier } = change;
  const names = namesOf(patch);
  const missing = names.filter((name) => !isSame(valueOf(current, name), valueIn(patch, name)));
  const known = [before, ...earlier];
  const isKnown = (name: string) =>
    known.some((details) => namesOf(details).includes(name) && isSame(valueOf(current, name), valueIn(details, name)));
  const [made, conflicts] = [missing.filter(isKnown), missing.filter((name) => !isKnown(name))];
  const agreed = names.filter((name) => !conflicts.includes(name));
  const mine = (some: readonly string[]) => pick(some, (name) => valueIn(patch, name));
  let data = current;
  if (made.length > 0) {
    try {
      ({ data } = await client.api.documents.update.mutate({ ...mine(made), id, expectedHash: contentHash }));
      openSessions(client).publish(data);
    } catch (error) {
      if (toRequestError(error).status === PRECONDITION_FAILED) return "overtaken";
      throw error;
    }
  }
  const rebase = (later: KeptChange["change"]) => withSeenHash(rebased(later, agreed, data), contentHash, data);
  if (conflicts.length === 0) return { ...sent(data), rebase };
  // What nobody else has changed is saved whatever the user decides about the rest.
  const there = pick(conflicts, (name) => valueOf(data, name));
  const left: DocumentChange = { ...change, patch: mine(conflicts) };
  const reason = `It was changed elsewhere, too. There: ${describe(client, there)}. Yours: ${describe(client, left.patch)}.`;
  const again: DocumentChange = { ...left, earlier: [...earlier, there] };
  const instead = { label: "Save mine", otherwise: KEEP_THEIRS, change: again };
  return { kind: "problem", problem: { reason, instead }, left, rebase };
}

/** Deletes a document as it was seen, with what was written in it here; never a newer text. */
async function sendDeletion(client: Client, id: string, change: Change<"delete-document">): Promise<Result> {
  // The trash has to keep it, too.
  await saveText(client, id);
  const current = await read(client, id);
  if (current === null) {
    documentCollection(client).drop([id]);
    return { kind: "sent", row: {} };
  }
  const { contentHash: expectedHash, deletedAt } = current.document;
  if (deletedAt !== null) return sent(current);
  const { hash, content } = change.seen;
  if (expectedHash !== hash && (content === null || contentOf(current) !== content)) {
    const again: DocumentChange = { ...change, seen: { hash: expectedHash, content: null } };
    const reason = "It was changed elsewhere since you saw it, so it is still there.";
    const instead = { label: "Delete it anyway", otherwise: "Keep it", change: again };
    return { kind: "problem", problem: { reason, instead } };
  }
  try {
    await client.api.documents.delete.mutate({ id, expectedHash });
  } catch (error) {
    if (toRequestError(error).status === PRECONDITION_FAILED) return "overtaken";
    throw error;
  }
  return sent({ ...current, document: { ...current.document, deletedAt: change.at } });
}

async function sendRestoration(client: Client, id: string, { path }: Change<"restore-document">): Promise<Result> {
  const current = await read(client, id);
  if (current === null) return { kind: "problem", problem: { reason: "It has been deleted for good.", isGone: true } };
  if (current.document.deletedAt === null) return sent(current);
  try {
    await client.api.documents.restore.mutate({ id, path });
  } catch (error) {
    const { status, message } = toRequestError(error);
    if (status !== CONFLICT) throw error;
    const free = freePathBeside(client, path ?? current.document.path);
    const again: DocumentChange = { kind: "restore-document", path: free };
    const instead = { label: `Restore as “${shownName(free)}”`, otherwise: "Discard", change: again };
    return { kind: "problem", problem: { reason: message, instead } };
  }
  const restored = (await client.api.documents.get.query({ id })).data;
  openSessions(client).publish(restored);
  // What was written here before it was deleted could not be saved until now.
  await saveText(client, id);
  return sent(restored);
}

/** A document as the server has it; null if it does not, not even deleted. */
async function read(client: Client, id: string): Promise<OpenDocument | null> {
  try {
    return (await client.api.documents.get.query({ id })).data;
  } catch (error) {
    if (toRequestError(error).kind === "missing") return null;
    throw error;
  }
}

function sent({ document }: OpenDocument): Extract<SendResult, { kind: "sent" }> {
  return { kind: "sent", row: { document } };
}

/** A later deletion of what had a hash is one of what was made of that here. */
function withSeenHash(later: KeptChange["change"], hash: string, { document }: OpenDocument): KeptChange["change"] {
  if (later.kind !== "delete-document" || later.seen.hash !== hash) return later;
  return { ...later, seen: { ...later.seen, hash: document.contentHash } };
}

/** A later change of the same properties is one of what the server has made of them. */
function rebased(later: KeptChange["change"], names: readonly string[], current: OpenDocument): KeptChange["change"] {
  if (later.kind !== "update-document") return later;
  const again = namesOf(later.patch).filter((name) => names.includes(name));
  return { ...later, earlier: [...later.earlier, pick(again, (name) => valueOf(current, name))] };
}

const OF_FIELDS = "fields.";

/** The names of the properties that a patch gives; those of frontmatter fields with a prefix. */
function namesOf({ fields = {}, ...others }: DetailsPatch): string[] {
  const given = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return [...given, ...Object.keys(fields).map((name) => OF_FIELDS + name)];
}

function valueIn(details: DetailsPatch, name: string): unknown {
  if (name.startsWith(OF_FIELDS)) return details.fields?.[name.slice(OF_FIELDS.length)];
  return Object.entries(details).find(([other]) => other === name)?.[1];
}

function valueOf({ document, metadata }: OpenDocument, name: string): unknown {
  if (name.startsWith(OF_FIELDS)) return metadata[name.slice(OF_FIELDS.length)];
  return Object.entries(document).find(([other]) => other === name)?.[1];
}

function pick(names: readonly string[], value: (name: string) => unknown): DetailsPatch {
  const isField = (name: string) => name.startsWith(OF_FIELDS);
  const own = names.filter((name) => !isField(name)).map((name) => [name, value(name)] as const);
  const fields = names.filter(isField).map((name) => [name.slice(OF_FIELDS.length), value(name) ?? null] as const);
  // The names are those of a patch, and the values of the same types.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries([
    ...own,
    ...(fields.length > 0 ? [["fields", Object.fromEntries(fields)]] : []),
  ]) as DetailsPatch;
}

const MAX_SHOWN = 80;

/** The values of properties, in words. */
function describe(client: Client, details: DetailsPatch): string {
  return namesOf(details)
    .map((name) => {
      const value = valueIn(details, name);
      const label = name === "projectId" ? "project" : name.replace(OF_FIELDS, "");
      const text = name === "projectId" ? nameOfProject(client, value) : toText(value);
      return `${label} “${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}”`;
    })
    .join(", ");
}

function nameOfProject(client: Client, id: unknown): string {
  return typeof id === "string" ? (projectCollection(client).get(id)?.name ?? "another") : "none";
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(String).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
