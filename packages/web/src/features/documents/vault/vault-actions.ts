import { newLocalId } from "../../../api/local-id.ts";
import { RequestError, toRequestError } from "../../../api/request-error.ts";
import { clientPart } from "../../../client/client-part.ts";
import type { Client } from "../../../client/client.ts";
import { undoStack, type UndoableAction } from "../../../undo/undo-stack.ts";
import { defaultContent } from "../daily/note-template.ts";
import type { DocumentChange } from "../../outbox/kept-change.ts";
import { restoreDocuments } from "../document-actions.ts";
import type { Document } from "../document.ts";
import { concernSameFiles, type VaultChange } from "./vault-changes.ts";
import { describeLinks, undoLinkUpdate, type LinkUpdateCounts } from "../links/link-updates.ts";
import { childOf, freeName, isWithin, nameOf, outermost, parentOf, problemWithName } from "./vault-path.ts";
import { beginChange, currentVault, isOnServer, refreshVault, vaultMoves } from "./vault-store.ts";
import { isNameTaken } from "./vault-tree.ts";
import { hasKeptChange, moveKeptWithin, seenDocument, sendOrKeep } from "../kept-changes/document-changes.ts";
import { deleteUnsentFolders, makeFolder, moveUnsentFolders } from "../new-notes/unsent-folders.ts";
import {
  createNoteAt,
  deleteUnsent,
  moveUnsent,
  restoreUnsent,
  textOfUnsent,
  unsentNotesAt,
  unsentNotesWithin,
  type DeletedUnsentNote,
} from "../new-notes/unsent-notes.ts";
import { openSessions } from "../session/open-sessions.ts";
import { toasts } from "../../../components/toast.ts";

const FOLDERS_NEED_SERVER = "Folders are renamed, moved and deleted only while the server responds.";

interface Move {
  readonly from: string;
  readonly to: string;
}

interface DoneMove extends Move {
  /** What was changed in links, if anything was. */
  readonly linkUpdate: LinkUpdateCounts | undefined;
}

/**
 * Creates a note, empty or from the template of its folder, under another name if the name is taken. Returns null after showing an
 * error if the server refuses.
 */
export async function createNote(client: Client, folder: string, name = "Untitled.md"): Promise<Document | null> {
  const { tree } = currentVault(client);
  const path = childOf(
    folder,
    freeName(name, (candidate) => isNameTaken(tree, folder, candidate)),
  );
  try {
    return (await createNoteAt(client, path, await beginningOf(client, path))) ?? null;
  } catch (error) {
    showFailure(client, `Could not create “${nameOf(path)}”`, error);
    return null;
  }
}

/** What a new note begins with: without the server, templates cannot be filled in, and it begins empty. */
async function beginningOf(client: Client, path: string): Promise<string> {
  try {
    return await defaultContent(client, path);
  } catch (error) {
    if (toRequestError(error).kind === "no-response") return "";
    throw error;
  }
}

/** Creates a folder; while the server is away, it is kept. Shows an error if the server refuses. */
export async function createFolder(client: Client, path: string): Promise<void> {
  await send(client, { kind: "folder", path }, `Could not create “${nameOf(path)}”`, () => makeFolder(client, path));
}

/** Why a file or folder cannot be given this name, in a sentence; null if it can. */
export function problemWithRename(client: Client, path: string, name: string): string | null {
  const isOtherCase = name.toLowerCase() === nameOf(path).toLowerCase();
  const isTaken = !isOtherCase && isNameTaken(currentVault(client).tree, parentOf(path), name);
  return problemWithName(name) ?? (isTaken ? `“${name}” already exists here.` : null);
}

/** Renames a file or folder, and shows an error if that is not possible. Undoable. */
export async function renameEntry(client: Client, path: string, name: string): Promise<void> {
  const to = childOf(parentOf(path), name);
  if (to === path) return;
  const problem = problemWithRename(client, path, name);
  if (problem !== null) {
    toasts(client).show({ message: `Could not rename “${nameOf(path)}”`, detail: problem, tone: "danger" });
    return;
  }
  await moveAll(client, [{ from: path, to }], `Renamed “${nameOf(path)}” to “${name}”`, true);
}

/** Moves files and folders into a folder. Undoable. */
export async function moveEntries(client: Client, paths: readonly string[], folder: string): Promise<void> {
  const moves = outermost(paths)
    .filter((path) => parentOf(path) !== folder && !isWithin(folder, path))
    .map((from) => ({ from, to: childOf(folder, nameOf(from)) }));
  if (moves.length === 0) return;
  const where = folder === "" ? "the top of the vault" : `“${nameOf(folder)}”`;
  await moveAll(client, moves, `Moved ${describe(moves.map(({ from }) => from))} to ${where}`, false);
}

/** Deletes files and folders; their files go to the trash. Undoable. Returns whether any was deleted, or will be. */
export async function deleteEntries(client: Client, paths: readonly string[]): Promise<boolean> {
  const targets = outermost(paths);
  if (targets.length === 0) return false;
  const { documents, folders } = currentVault(client);
  const own = new Set(targets.flatMap((target) => unsentNotesAt(client, target).map(({ change }) => change.path)));
  const inside = documents.filter(({ path }) => !own.has(path) && targets.some((target) => isWithin(path, target)));
  const emptied = folders.filter((path) => targets.some((target) => isWithin(path, target)));
  const unsent = Promise.all(
    targets
      .flatMap((target) => unsentNotesWithin(client, target))
      .map(async (note) => ({ note, text: await textOfUnsent(client, note) })),
  );
  const sent = Promise.all(targets.map((path) => deleteEntry(client, path)));
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Deleted ${describe(targets)}`,
    undo: () => void sent.then(async () => restoreEntries(client, inside, emptied, await unsent)),
  };
  undoStack(client).offer(action);
  const isAnyDone = (await sent).includes(true);
  if (!isAnyDone) withdraw(client, action);
  return isAnyDone;
}

/** Returns false after showing an error if the server refuses. */
async function deleteEntry(client: Client, path: string): Promise<boolean> {
  const own = unsentNotesAt(client, path);
  if (own.length > 0 && (await deleteUnsent(client, own))) return true;
  const documents = shownWithin(client, path);
  return send(client, { kind: "remove", path }, `Could not delete “${nameOf(path)}”`, async () => {
    // Only now, since a change that was made before, such as renaming it, may have been on its way.
    const unsent = unsentNotesWithin(client, path);
    const hadFolders = await deleteUnsentFolders(client, path);
    const isDeleted = unsent.length === 0 ? hadFolders : await deleteUnsent(client, unsent);
    const stored = documents.filter(({ id }) => !unsent.some(({ rowId }) => rowId === id));
    if (isDeleted && !isOnServer(client, path)) return deleteEach(client, stored);
    const request = async () => {
      // Unsaved text must be included in what the trash keeps.
      await openSessions(client).flush();
      await client.api.fs.delete.mutate({ path: `/${path}` });
    };
    const [document] = stored;
    if (document?.path !== path) return sendFolderChange(client, path, request);
    return sendOrKeep(client, document, await deletionOf(client, document), request);
  });
}

async function deletionOf(client: Client, document: Document): Promise<DocumentChange> {
  return { kind: "delete-document", seen: await seenDocument(client, document), at: new Date().toISOString() };
}

/** Deletes documents that are only in a folder here. */
async function deleteEach(client: Client, documents: readonly Document[]): Promise<"kept"> {
  for (const document of documents) {
    const { id } = document;
    const request = () => client.api.documents.delete.mutate({ id });
    await sendOrKeep(client, document, await deletionOf(client, document), request);
  }
  return "kept";
}

async function restoreEntries(
  client: Client,
  documents: readonly Document[],
  folders: readonly string[],
  unsent: readonly DeletedUnsentNote[],
): Promise<void> {
  await restoreUnsent(client, unsent);
  const ids = documents.map(({ id }) => id).filter((id) => !unsent.some(({ note }) => note.rowId === id));
  if (ids.length > 0) await restoreDocuments(client, ids);
  const { tree } = currentVault(client);
  const missing = folders.filter((path) => !tree.has(path));
  await Promise.allSettled(missing.map((path) => makeFolder(client, path)));
  await refreshVault(client);
}

async function moveAll(client: Client, moves: readonly Move[], label: string, isQuiet: boolean): Promise<void> {
  const sent = Promise.all(moves.map((one) => move(client, one)));
  const undo = () =>
    void sent.then((done) =>
      moveBack(
        client,
        done.filter((one) => one !== null),
      ),
    );
  const action: UndoableAction = { id: newLocalId(), label, undo };
  undoStack(client).offer(action, { isQuiet });
  const done = (await sent).filter((one) => one !== null);
  if (done.length === 0) withdraw(client, action);
  const updates = done.flatMap(({ linkUpdate }) => linkUpdate ?? []);
  if (updates.length === 0) return;
  const [verb] = label.split(" ");
  undoStack(client).replace(action, { ...action, label: `${verb}; ${describeLinks(updates)}` });
}

/** Shows a move immediately and sends it. Returns null after showing an error if the server refuses. */
async function move(client: Client, { from, to }: Move): Promise<DoneMove | null> {
  let linkUpdate: LinkUpdateCounts | undefined;
  const own = unsentNotesAt(client, from);
  if (own.length > 0 && (await moveUnsent(client, own, { from, to }))) {
    vaultMoves(client).emit({ from, to });
    return { from, to, linkUpdate };
  }
  const [document] = shownWithin(client, from);
  const failure = `Could not ${verbOf({ from, to })} “${nameOf(from)}”`;
  const isDone = await send(client, { kind: "move", from, to }, failure, async () => {
    const unsent = unsentNotesWithin(client, from);
    const hadFolders = await moveUnsentFolders(client, { from, to });
    const isMoved = unsent.length === 0 ? hadFolders : await moveUnsent(client, unsent, { from, to });
    if (isMoved && !isOnServer(client, from)) {
      await moveKeptWithin(client, { from, to });
      return "kept";
    }
    const request = async () => {
      // Links are changed in what the server has.
      await openSessions(client).flush();
      const { data } = await client.api.fs.rename.mutate({ oldPath: `/${from}`, newPath: `/${to}` });
      linkUpdate = data.linkUpdate;
    };
    if (document?.path !== from) return sendFolderChange(client, from, request);
    return sendOrKeep(client, document, { kind: "move-document", path: to, formerPaths: [from] }, request);
  });
  return isDone ? { from, to, linkUpdate } : null;
}

function verbOf({ from, to }: Move): string {
  return parentOf(from) === parentOf(to) ? "rename" : "move";
}

/** Takes moves back, the last one first, with the changes of links that belong to them. */
async function moveBack(client: Client, done: readonly DoneMove[]): Promise<void> {
  for (const { from, to, linkUpdate } of done.toReversed()) {
    if (linkUpdate === undefined) await move(client, { from: to, to: from });
    else {
      const failure = `Could not ${verbOf({ from, to })} “${nameOf(to)}” back`;
      await send(client, { kind: "move", from: to, to: from }, failure, () => undoLinkUpdate(client, linkUpdate.id));
    }
  }
}

/** The documents at a path and in the folder there, as they are shown; first one that is moved there here, if there are two. */
function shownWithin(client: Client, path: string): Document[] {
  const within = currentVault(client).documents.filter((document) => isWithin(document.path, path));
  return within.toSorted((a, b) => Number(hasKeptChange(client, b.id)) - Number(hasKeptChange(client, a.id)));
}

/** Changes a folder that the server has, which needs it. */
async function sendFolderChange(client: Client, path: string, request: () => Promise<unknown>): Promise<void> {
  if (shownWithin(client, path).some(({ id }) => hasKeptChange(client, id)))
    throw new RequestError("no-response", `${FOLDERS_NEED_SERVER} Changes in this one are still to be sent.`);
  try {
    await request();
  } catch (error) {
    const failure = toRequestError(error);
    throw failure.kind === "no-response" ? new RequestError("no-response", FOLDERS_NEED_SERVER) : failure;
  }
}

/** The changes that the server has not answered yet, with their requests. */
const changesInFlight = clientPart(() => new Map<VaultChange, Promise<unknown>>());

/**
 * Shows a change immediately and sends it once those before it that concern the same files are answered, such as the rename
 * of a file that is then deleted; rolls it back and shows an error if the server refuses. Returns whether it succeeded, or was kept
 * until the server responds.
 */
async function send(
  client: Client,
  change: VaultChange,
  failure: string,
  request: () => Promise<unknown>,
): Promise<boolean> {
  const inFlight = changesInFlight(client);
  const earlier = [...inFlight].flatMap(([other, sent]) => (concernSameFiles(other, change) ? [sent] : []));
  const pending = beginChange(client, change);
  const sent = Promise.allSettled(earlier).then(request);
  inFlight.set(change, sent);
  try {
    if ((await sent) === "kept") pending.keep();
    else pending.confirm();
    return true;
  } catch (error) {
    pending.rollback();
    showFailure(client, failure, error);
    return false;
  } finally {
    inFlight.delete(change);
  }
}

/** Nothing was done: what was said of it is taken back, too. */
function withdraw(client: Client, action: UndoableAction): void {
  undoStack(client).withdraw(action);
  toasts(client).dismiss(action.id);
}

function showFailure(client: Client, message: string, error: unknown): void {
  toasts(client).show({ message, detail: toRequestError(error).message, tone: "danger" });
}

function describe(paths: readonly string[]): string {
  const [first] = paths;
  return paths.length === 1 && first !== undefined ? `“${nameOf(first)}”` : `${paths.length} items`;
}
