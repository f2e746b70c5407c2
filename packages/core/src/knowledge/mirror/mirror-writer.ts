import type { PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { DocumentContent } from "../file-records/document-content.ts";
import { publishDocuments } from "../file-records/document-events.ts";
import {
  markDeleted,
  moveDocuments,
  putDocuments,
  selectDocumentsWithin,
  type RecordedDocument,
} from "../file-records/document-writes.queries.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import { planLinkUpdate } from "../file-records/link-plan.ts";
import type { PathChange } from "../file-records/link-plan.queries.ts";
import type { VaultLocks } from "../file-records/vault-locks.ts";
import type { LinkUpdateService } from "../link-updates/link-update.service.ts";
import { fileTitle } from "../markdown/document-fields.ts";
import { isSameState, modifiedAtOf } from "../vault/file-stat.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { isWithin, nameOf, rebase, SERVICE_DIRECTORY, type VaultPath } from "../vault/vault-path.ts";
import { assignDocuments, type Assignment } from "./document-assignment.ts";
import { readFiles } from "./file-reader.ts";
import type { Term } from "./mirror-leadership.ts";
import { isParked, parkDocuments, reviveDocuments, selectRecordedAt, selectStillAt } from "./mirror.queries.ts";
import { isUnchanged, type FoundFile, type RecordedFile } from "./mirrored-file.ts";
import { createUnmatchedDocuments, type UnmatchedDocuments } from "./unmatched-documents.ts";

const BATCH_FILES = 200;

export interface MirrorWriterDeps extends Deps<"clock" | "ids" | "events" | "logger"> {
  readonly files: VaultFiles;
  readonly locks: VaultLocks;
  readonly indexer: TextIndexer;
  readonly linkUpdates: Pick<LinkUpdateService, "finishSoon">;
}

export interface RecordChanges {
  /** Files that differ from what was recorded. */
  readonly found: readonly FoundFile[];
  /** The documents at those paths, and those whose files are missing. */
  readonly recorded: readonly RecordedFile[];
  /** The creator of new documents. */
  readonly creatorId: string;
  readonly term: Term;
  readonly onProgress: (done: number) => void;
}

/** A file with its content and its document, if it has one already. */
interface ReadFile extends Assignment {
  readonly content: DocumentContent;
}

export type MirrorWriter = ReturnType<typeof createMirrorWriter>;

/** Updates the documents to match the files on disk, as long as this process leads. */
export function createMirrorWriter(deps: MirrorWriterDeps) {
  const { clock, ids, events, logger, files, locks, linkUpdates } = deps;
  const onUnreadable = ({ path }: FoundFile, err: unknown) => logger.warn({ err, path }, "a file cannot be mirrored");

  /** Reads a batch, and matches new files by content with documents whose files are missing. */
  async function readBatch(batch: readonly Assignment[], unmatched: UnmatchedDocuments): Promise<ReadFile[]> {
    const contents = await readFiles(
      files,
      batch.map(({ file }) => file),
      onUnreadable,
    );
    const read: ReadFile[] = [];
    for (const [index, { file, document }] of batch.entries()) {
      const content = contents[index] ?? null;
      if (content === null) continue;
      read.push({ file, content, document: document ?? (await unmatched.takeByContent(file, content)) });
    }
    return read;
  }

  /** Writes a batch, and plans the changes of links. */
  async function writeBatch(
    read: readonly ReadFile[],
    { recorded, creatorId, term }: RecordChanges,
    updateId: string,
  ): Promise<WrittenBatch> {
    const written = await locks.withTree("rebuildable", async (client) => {
      await term.hold(client);
      const current = await withoutRecorded(client, await withoutOutdated(files, read));
      const moves = await findMoves(client, current);
      const isPlanned = await planLinks(client, moves, { id: updateId, createdAt: clock.now() });
      await makeRoom(client, moves, current, recorded);
      const newFiles = current.filter(({ document }) => document === null);
      const newContents = newFiles.map(({ file, content }) => ({ path: file.path, contentHash: content.contentHash }));
      await reviveDocuments(client, newContents);
      await moveDocuments(client, moves);
      const records = current.map(({ file, content }) => ({
        newId: ids(),
        path: file.path,
        stat: file.stat,
        content,
        modifiedAt: modifiedAtOf(file.stat),
        creatorId,
        author: null,
      }));
      return { current, documents: await putDocuments(client, records), isPlanned, moves };
    });
    announce(written.current, written.documents, deps);
    const { moves, isPlanned } = written;
    return { moves, isPlanned, hasNew: written.documents.some(({ isNew }) => isNew) };
  }

  return {
    /** Records files in batches. Returns the documents for which no file was found; they are left unchanged. */
    async record(changes: RecordChanges): Promise<RecordedFile[]> {
      const { assignments, unassigned } = assignDocuments(changes.found, changes.recorded);
      const unmatched = createUnmatchedDocuments(files, unassigned, new Set(changes.found.map(({ path }) => path)));
      const updateId = ids();
      const batches: WrittenBatch[] = [];
      for (let start = 0; start < assignments.length; start += BATCH_FILES) {
        changes.term.signal.throwIfAborted();
        const batch = assignments.slice(start, start + BATCH_FILES);
        batches.push(await writeBatch(await readBatch(batch, unmatched), changes, updateId));
        changes.onProgress(start + batch.length);
      }
      const moves = batches.flatMap((batch) => batch.moves);
      const hasNew = batches.some((batch) => batch.hasNew);
      const isOfNew = hasNew && moves.length > 0 && (await planLinksOfNew(deps, moves, changes.term, updateId));
      if (isOfNew || batches.some(({ isPlanned }) => isPlanned)) linkUpdates.finishSoon();
      return unmatched.remaining();
    },

    /** Completes moves that were interrupted. */
    completeMoves: (term: Term): Promise<void> => completeMoves(deps, term),

    /** Marks documents as deleted after confirming that their files are missing, and not on the way elsewhere. */
    async deleteMissing(
      missing: readonly RecordedFile[],
      { isStillVault, term }: { isStillVault: () => Promise<boolean>; term: Term },
    ): Promise<void> {
      const deleted = await locks.withTree("rebuildable", async (client) => {
        await term.hold(client);
        await assertNoUnfinishedMoves(files);
        const places = await selectStillAt(client, missing);
        const candidates = missing.filter(({ id }) => places.has(id));
        const stats = await files.statAll(candidates.map(({ path }) => path));
        // The file of a parked document is missing even though another one is at its path.
        const confirmed = candidates.filter(
          ({ id }, index) => places.get(id) === "parked" || stats[index]?.kind !== "file",
        );
        if (!(await isStillVault())) return [];
        const marks = confirmed.map(({ id }) => ({ id, trashKey: null }));
        await markDeleted(client, marks, clock.now());
        return confirmed;
      });
      publishDocuments(events, "delete", deleted);
    },
  };
}

/** Nobody is carrying them out meanwhile, because that takes the same lock. */
async function completeMoves({ files, locks, logger, ids, clock, linkUpdates }: MirrorWriterDeps, term: Term) {
  if (!(await files.hasUnfinishedMoves())) return;
  const { completed, isPlanned } = await locks.withTree("durable", async (client) => {
    await term.hold(client);
    const completed = await files.completeMoves();
    const moves: MovedDocument[] = [];
    for (const change of completed.changes) moves.push(...(await findFollowing(client, files, change)));
    const isPlanned = await planLinks(client, moves, { id: ids(), createdAt: clock.now() });
    await parkDocuments(client, { ids: moves.map(({ id }) => id), paths: moves.map(({ path }) => path) });
    await moveDocuments(client, moves);
    return { completed, isPlanned };
  });
  await completed.forget();
  if (isPlanned) linkUpdates.finishSoon();
  logger.info({ count: completed.changes.length }, "completed interrupted moves");
}

/** The documents whose files a move has taken along. What was moved to the trash is recorded by the housekeeping. */
async function findFollowing(
  client: PoolClient,
  files: VaultFiles,
  { from, to }: PathChange,
): Promise<MovedDocument[]> {
  if (isWithin(to, SERVICE_DIRECTORY)) return [];
  const documents = await selectDocumentsWithin(client, from);
  const moves = documents.map(({ id, title, path }) => {
    const target = rebase(path, from, to);
    return {
      id,
      from: path,
      path: target,
      title: title === fileTitle(nameOf(path)) ? fileTitle(nameOf(target)) : title,
    };
  });
  const [before, after] = [
    await files.statAll(moves.map((move) => move.from)),
    await files.statAll(moves.map(({ path }) => path)),
  ];
  return moves.filter((_, index) => before[index] === null && after[index]?.kind === "file");
}

/**
 * Copies that a move has left beside their sources are not new files, and what it has removed is not deleted. Throws if there is such a
 * move, so that everything is compared again.
 */
async function assertNoUnfinishedMoves(files: VaultFiles): Promise<void> {
  if (await files.hasUnfinishedMoves()) throw new Error("A move was interrupted while the files were read.");
}

/** Has changed documents indexed and publishes what was written. */
function announce(
  read: readonly ReadFile[],
  documents: readonly RecordedDocument[],
  { events, indexer }: Pick<MirrorWriterDeps, "events" | "indexer">,
): void {
  const before = new Map(read.map(({ file, document }) => [file.path, document]));
  const hashes = new Map(read.map(({ file, content }) => [file.path, content.contentHash]));
  const isChanged = ({ path }: RecordedDocument) => before.get(path)?.contentHash !== hashes.get(path);
  const isMoved = ({ path }: RecordedDocument) => before.get(path)?.path !== path;
  const created = documents.filter(({ isNew }) => isNew);
  const edited = documents.filter((document) => !document.isNew && (isChanged(document) || isMoved(document)));
  indexer.add(documents.filter(isChanged).map(({ id }) => id));
  publishDocuments(events, "create", created);
  publishDocuments(events, "edit", edited);
}

/** Drops files that have been changed, moved or deleted since they were read; that change will be noticed separately. */
async function withoutOutdated(files: VaultFiles, read: readonly ReadFile[]): Promise<ReadFile[]> {
  await assertNoUnfinishedMoves(files);
  const stats = await files.statAll(read.map(({ file }) => file.path));
  return read.filter(({ file }, index) => {
    const stat = stats[index] ?? null;
    return stat !== null && isSameState(stat, file.stat);
  });
}

/** Drops files that a request has recorded since they were compared with the documents: they are not changed by another program. */
async function withoutRecorded(client: PoolClient, read: readonly ReadFile[]): Promise<ReadFile[]> {
  const recorded = await selectRecordedAt(
    client,
    read.map(({ file }) => file.path),
  );
  const documents = new Map(recorded.map((document) => [document.path, document]));
  return read.filter(({ file }) => {
    const document = documents.get(file.path);
    return document === undefined || !isUnchanged(document, file);
  });
}

interface WrittenBatch {
  readonly moves: readonly MovedDocument[];
  /** Whether links have to be changed. */
  readonly isPlanned: boolean;
  readonly hasNew: boolean;
}

interface MovedDocument {
  readonly id: string;
  readonly title: string;
  readonly from: VaultPath;
  readonly path: VaultPath;
}

/** The documents that follow their files to other paths, with their new paths and titles. */
async function findMoves(client: PoolClient, read: readonly ReadFile[]): Promise<MovedDocument[]> {
  const moving = read.flatMap(({ file, document }) =>
    document === null || document.path === file.path ? [] : [{ document, path: file.path }],
  );
  const still = await selectStillAt(
    client,
    moving.map(({ document }) => document),
  );
  return moving
    .filter(({ document }) => still.has(document.id))
    .map(({ document: { id, title, path: from }, path }) => ({
      id,
      from,
      path,
      title: title === fileTitle(nameOf(from)) ? fileTitle(nameOf(path)) : title,
    }));
}

/** Makes room for moving documents at their new paths. */
async function makeRoom(
  client: PoolClient,
  moves: readonly MovedDocument[],
  read: readonly ReadFile[],
  recorded: readonly RecordedFile[],
): Promise<void> {
  const own = new Map(read.map(({ file, document }) => [file.path, document?.id]));
  // Documents at these paths whose files have moved elsewhere; another batch will move them along.
  const displaced = recorded.filter(({ path, id }) => own.has(path) && own.get(path) !== id);
  const parked = [...moves.map(({ id }) => id), ...displaced.map(({ id }) => id)];
  if (parked.length > 0) await parkDocuments(client, { ids: parked, paths: moves.map(({ path }) => path) });
}

/** Plans the changes of links in files that had not been recorded when others were moved: they may link to where those were. */
function planLinksOfNew(
  { locks, clock }: Pick<MirrorWriterDeps, "locks" | "clock">,
  moves: readonly MovedDocument[],
  term: Term,
  updateId: string,
): Promise<boolean> {
  return locks.withTree("rebuildable", async (client) => {
    await term.hold(client);
    return planLinks(client, moves, { id: updateId, createdAt: clock.now() }, []);
  });
}

/** Plans the changes of links to moved documents. All batches of a pass are one update, which has `recorded` as further moves. */
async function planLinks(
  client: PoolClient,
  moves: readonly MovedDocument[],
  update: { readonly id: string; readonly createdAt: Date },
  recorded?: readonly PathChange[],
): Promise<boolean> {
  // A parked document has lost its path to another one.
  const documents = moves.filter(({ from }) => !isParked(from)).map(({ id, from, path }) => ({ id, from, to: path }));
  if (documents.length === 0) return false;
  const changes = documents.map(({ from, to }) => ({ from, to }));
  return planLinkUpdate(client, {
    ...update,
    origin: "outside",
    author: null,
    moves: recorded ?? changes,
    documents,
  });
}
