import type { PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { fileTitle } from "../markdown/document-fields.ts";
import { modifiedAtOf, type FileStat } from "../vault/file-stat.ts";
import { assertRegular } from "../vault/regular-file.ts";
import type { MadeMove, VaultFiles } from "../vault/vault-files.ts";
import { nameOf, rebase, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import { readDocumentContent } from "./document-content.ts";
import { publishDocuments } from "./document-events.ts";
import { moveDocuments, putDocuments, selectDocumentsWithin, type DocumentPlace } from "./document-writes.queries.ts";
import type { PathChange } from "./link-plan.queries.ts";
import type { DocumentMove } from "./link-plan.ts";
import type { TextIndexer } from "./text-indexer.ts";
import type { VaultLocks } from "./vault-locks.ts";

export interface TreeMovesDeps extends Deps<"ids" | "events"> {
  readonly files: VaultFiles;
  readonly locks: VaultLocks;
  readonly indexer: TextIndexer;
  /** Throws ConflictError if there is anything at a path. */
  readonly assertFree: (client: PoolClient, path: VaultPath) => Promise<void>;
}

/**
 * Moves files and directories to free paths, all or none. Throws NotFoundError, ConflictError, and InvalidInputError for the root and for
 * moving a directory into itself. `beforehand` runs in the transaction, with the documents that are about to move; its result is returned.
 */
export type MoveEntries = <Result>(
  changes: readonly PathChange[],
  creatorId: string,
  beforehand: (client: PoolClient, moves: readonly DocumentMove[]) => Promise<Result>,
) => Promise<Result>;

/** Creates the function that moves files and directories with their documents. */
export function createTreeMoves(deps: TreeMovesDeps): MoveEntries {
  const { events, files, locks, indexer, assertFree } = deps;

  async function findMoved(client: PoolClient, { from, to }: PathChange): Promise<MovedEntry> {
    const stat = await findEntry(files, from);
    await assertFree(client, to);
    return { from, to, stat, documents: await selectDocumentsWithin(client, from) };
  }

  async function moveEntry(client: PoolClient, { from, to, stat, documents }: MovedEntry, creatorId: string) {
    const moves = documents.map((document) => relocate(document, from, to));
    await moveDocuments(client, moves);
    if (stat.kind === "file") await recordMoved(client, deps, { from, to, stat, creatorId });
    return files.move(from, to);
  }

  return async (changes, creatorId, beforehand) => {
    if (changes.some(({ from }) => from === VAULT_ROOT)) {
      throw new InvalidInputError("The vault itself cannot be renamed or moved.");
    }
    const done: DoneMove[] = [];
    try {
      const { result, moved } = await locks.withTree("rebuildable", async (client) => {
        const entries: MovedEntry[] = [];
        for (const change of changes) entries.push(await findMoved(client, change));
        const result = await beforehand(client, entries.flatMap(documentMoves));
        for (const entry of entries) {
          done.push({ change: entry, move: await moveEntry(client, entry, creatorId) });
        }
        return { result, moved: entries.flatMap(({ documents }) => documents) };
      });
      // What fails to be finished is completed later, when nothing is left to do.
      await Promise.allSettled(done.map(({ move }) => move.finish()));
      indexer.add(moved.map(({ id }) => id));
      publishDocuments(events, "edit", moved);
      return result;
    } catch (error) {
      // A single move that fails has changed nothing. Whether a failed commit took effect is unknown; the mirror finds out.
      if (done.length < changes.length) {
        for (const one of done.toReversed()) await moveBack(files, one).catch(() => undefined);
      } else {
        for (const { move } of done) move.leave();
      }
      throw error;
    }
  };
}

interface DoneMove {
  readonly change: PathChange;
  readonly move: MadeMove;
}

async function moveBack(files: VaultFiles, { change: { from, to }, move }: DoneMove): Promise<void> {
  await move.finish();
  const back = await files.move(to, from);
  await back.finish();
}

/** What is at a path. Throws NotFoundError if nothing is, and the errors of `assertRegular`. */
export async function findEntry(files: VaultFiles, path: VaultPath): Promise<FileStat> {
  const stat = await files.stat(path);
  if (stat === null) throw new NotFoundError("There is nothing at this path.");
  if (stat.kind !== "directory") assertRegular(stat);
  return stat;
}

/** A file or directory that is about to move, with the documents in it. */
interface MovedEntry extends PathChange {
  readonly stat: FileStat;
  readonly documents: readonly DocumentPlace[];
}

function documentMoves({ from, to, documents }: MovedEntry): DocumentMove[] {
  return documents.map(({ id, path }) => ({ id, from: path, to: rebase(path, from, to) }));
}

interface FileMove {
  readonly from: VaultPath;
  readonly to: VaultPath;
  readonly stat: FileStat;
  readonly creatorId: string;
}

/** Records a file under its future path before it is moved there: its type and title may depend on its name. */
async function recordMoved(
  client: PoolClient,
  { ids, files }: Pick<TreeMovesDeps, "ids" | "files">,
  { from, to, stat, creatorId }: FileMove,
): Promise<void> {
  const file = await files.openFile(from);
  try {
    const content = await readDocumentContent(to, file);
    const modifiedAt = modifiedAtOf(stat);
    await putDocuments(client, [{ newId: ids(), path: to, stat, content, modifiedAt, creatorId, author: null }]);
  } finally {
    file.release();
  }
}

/** The path of a document after moving its file or a directory above it, and its new title if that was its file name. */
export function relocate(document: DocumentPlace, from: VaultPath, to: VaultPath): DocumentPlace {
  const { id, title } = document;
  const path = rebase(document.path, from, to);
  return { id, path, title: title === fileTitle(nameOf(document.path)) ? fileTitle(nameOf(path)) : title };
}
