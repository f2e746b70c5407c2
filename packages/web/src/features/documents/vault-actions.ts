import { newLocalId } from "../../api/local-id.ts";
import { toRequestError } from "../../api/request-error.ts";
import { trpcClient } from "../../api/trpc.ts";
import { showToast } from "../../components/toast.ts";
import { offerUndo, withdrawUndo, type UndoableAction } from "../../undo/undo-stack.ts";
import { restoreDocuments } from "./document-actions.ts";
import type { Document } from "./document.ts";
import { flushSessions, keepOpened } from "./open-sessions.ts";
import type { VaultChange } from "./vault-changes.ts";
import { childOf, freeName, isWithin, nameOf, outermost, parentOf, problemWithName } from "./vault-path.ts";
import { beginChange, currentVault, refreshVault } from "./vault-store.ts";
import { isNameTaken } from "./vault-tree.ts";

interface Move {
  readonly from: string;
  readonly to: string;
}

/** Makes an empty note, under another name where the name is taken. Null where the server refuses, which is told. */
export async function createNote(folder: string, name = "Untitled.md"): Promise<Document | null> {
  const { tree } = currentVault();
  const path = childOf(
    folder,
    freeName(name, (candidate) => isNameTaken(tree, folder, candidate)),
  );
  try {
    await trpcClient.fs.write.mutate({ path: `/${path}`, content: "", createOnly: true });
    const { data } = await trpcClient.documents.byPath.mutate({ path: `/${path}` });
    keepOpened(data);
    return data.document;
  } catch (error) {
    tellFailure(`Could not create “${nameOf(path)}”`, error);
    return null;
  }
}

/** Makes a folder, under another name where the name is taken. Null where the server refuses, which is told. */
export async function createFolder(parent: string): Promise<string | null> {
  const { tree } = currentVault();
  const path = childOf(
    parent,
    freeName("New folder", (candidate) => isNameTaken(tree, parent, candidate)),
  );
  const isDone = await send({ kind: "folder", path }, `Could not create “${nameOf(path)}”`, () =>
    trpcClient.fs.mkdir.mutate({ path: `/${path}` }),
  );
  return isDone ? path : null;
}

/** Why a file or folder cannot be called so, in a sentence; null where it can. */
export function problemWithRename(path: string, name: string): string | null {
  const isOtherCase = name.toLowerCase() === nameOf(path).toLowerCase();
  const isTaken = !isOtherCase && isNameTaken(currentVault().tree, parentOf(path), name);
  return problemWithName(name) ?? (isTaken ? `There is a “${name}” here already.` : null);
}

/** Gives a file or folder another name. Tells where that cannot be. Undoable. */
export async function renameEntry(path: string, name: string): Promise<void> {
  const to = childOf(parentOf(path), name);
  if (to === path) return;
  const problem = problemWithRename(path, name);
  if (problem !== null) {
    showToast({ message: `Could not rename “${nameOf(path)}”`, detail: problem, tone: "danger" });
    return;
  }
  await moveAll([{ from: path, to }], `Renamed “${nameOf(path)}” to “${name}”`, true);
}

/** Moves files and folders into a folder. Undoable. */
export async function moveEntries(paths: readonly string[], folder: string): Promise<void> {
  const moves = outermost(paths)
    .filter((path) => parentOf(path) !== folder && !isWithin(folder, path))
    .map((from) => ({ from, to: childOf(folder, nameOf(from)) }));
  if (moves.length === 0) return;
  const where = folder === "" ? "the vault’s top" : `“${nameOf(folder)}”`;
  await moveAll(moves, `Moved ${describe(moves.map(({ from }) => from))} to ${where}`, false);
}

/** Deletes files and folders; their files go to the trash. Undoable. */
export async function deleteEntries(paths: readonly string[]): Promise<void> {
  const targets = outermost(paths);
  if (targets.length === 0) return;
  const { documents, folders } = currentVault();
  const inside = documents.filter(({ path }) => targets.some((target) => isWithin(path, target)));
  const emptied = folders.filter((path) => targets.some((target) => isWithin(path, target)));
  const action: UndoableAction = {
    id: newLocalId(),
    label: `Deleted ${describe(targets)}`,
    undo: () => void bringBack(inside, emptied),
  };
  offerUndo(action);
  // What is still being written belongs to what the trash keeps.
  await flushSessions();
  await Promise.all(
    targets.map(async (path) => {
      const isDone = await send({ kind: "remove", path }, `Could not delete “${nameOf(path)}”`, () =>
        trpcClient.fs.delete.mutate({ path: `/${path}` }),
      );
      if (!isDone && targets.length === 1) withdrawUndo(action);
    }),
  );
}

async function bringBack(documents: readonly Document[], folders: readonly string[]): Promise<void> {
  await restoreDocuments(documents.map(({ id }) => id));
  const { tree } = currentVault();
  const missing = folders.filter((path) => !tree.has(path));
  await Promise.allSettled(missing.map((path) => trpcClient.fs.mkdir.mutate({ path: `/${path}` })));
  await refreshVault();
}

async function moveAll(moves: readonly Move[], label: string, isQuiet: boolean): Promise<void> {
  const action: UndoableAction = {
    id: newLocalId(),
    label,
    undo: () => void Promise.all(moves.map(({ from, to }) => move({ from: to, to: from }))),
  };
  offerUndo(action, { isQuiet });
  const results = await Promise.all(moves.map(move));
  if (!results.includes(true)) withdrawUndo(action);
}

function move({ from, to }: Move): Promise<boolean> {
  return send({ kind: "move", from, to }, `Could not move “${nameOf(from)}”`, () =>
    trpcClient.fs.rename.mutate({ oldPath: `/${from}`, newPath: `/${to}` }),
  );
}

/** Shows a change at once and sends it; takes it back and tells where the server refuses. Answers whether it is done. */
async function send(change: VaultChange, failure: string, request: () => Promise<unknown>): Promise<boolean> {
  const pending = beginChange(change);
  try {
    await request();
    pending.confirm();
    return true;
  } catch (error) {
    pending.rollback();
    tellFailure(failure, error);
    return false;
  }
}

function tellFailure(message: string, error: unknown): void {
  showToast({ message, detail: toRequestError(error).message, tone: "danger" });
}

function describe(paths: readonly string[]): string {
  const [first] = paths;
  return paths.length === 1 && first !== undefined ? `“${nameOf(first)}”` : `${paths.length} items`;
}
