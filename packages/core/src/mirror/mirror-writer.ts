import type { PoolClient } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { EventBus } from "../platform/events.ts";
import type { IdGenerator } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { DocumentContent } from "../documents/document-content.ts";
import { publishDocuments } from "../documents/document-events.ts";
import { fileTitle } from "../documents/document-fields.ts";
import {
  markDeleted,
  moveDocuments,
  putDocuments,
  type RecordedDocument,
} from "../documents/document-writes.queries.ts";
import type { TextIndexer } from "../documents/text-indexer.ts";
import type { VaultLocks } from "../documents/vault-locks.ts";
import { isSameState, toDate } from "../vault/file-stat.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { nameOf } from "../vault/vault-path.ts";
import { assignDocuments, type Assignment } from "./document-assignment.ts";
import { readFound } from "./file-reader.ts";
import { createGoneDocuments, type GoneDocuments } from "./gone-documents.ts";
import { parkDocuments, reviveDocuments, selectStillAt } from "./mirror.queries.ts";
import type { Term } from "./mirror-leadership.ts";
import type { FoundFile, RecordedFile } from "./mirrored-file.ts";

const BATCH_FILES = 200;

export interface MirrorWriterDeps {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  readonly logger: Logger;
  readonly files: VaultFiles;
  readonly locks: VaultLocks;
  readonly indexer: TextIndexer;
}

export interface RecordChanges {
  /** Files that are not as recorded. */
  readonly found: readonly FoundFile[];
  /** The documents of those paths, and those whose files were not found. */
  readonly recorded: readonly RecordedFile[];
  /** Who new documents are recorded under. */
  readonly creatorId: string;
  readonly term: Term;
  readonly onProgress: (done: number) => void;
}

/** A file with its content and the document that it has, if it has one already. */
interface ReadFile extends Assignment {
  readonly content: DocumentContent;
}

export type MirrorWriter = ReturnType<typeof createMirrorWriter>;

/** Brings the documents in line with what was found on the disk, for as long as this process leads. */
export function createMirrorWriter({ clock, ids, events, logger, files, locks, indexer }: MirrorWriterDeps) {
  const onUnreadable = ({ path }: FoundFile, err: unknown) =>
    logger.warn({ err, path }, "a file could not be mirrored");

  /** Reads a batch, and finds the documents of new files among those whose files are gone, by what is in them. */
  async function readBatch(batch: readonly Assignment[], gone: GoneDocuments): Promise<ReadFile[]> {
    const contents = await readFound(
      files,
      batch.map(({ file }) => file),
      onUnreadable,
    );
    const read: ReadFile[] = [];
    for (const [index, { file, document }] of batch.entries()) {
      const content = contents[index] ?? null;
      if (content !== null) read.push({ file, content, document: document ?? (await gone.takeAlike(file, content)) });
    }
    return read;
  }

  async function writeBatch(read: readonly ReadFile[], { recorded, creatorId, term }: RecordChanges): Promise<void> {
    const written = await locks.withTree("rebuildable", async (client) => {
      await term.hold(client);
      const current = await stillAsRead(files, read);
      const moved = await prepareMoves(client, current, recorded);
      await reviveDocuments(
        client,
        current
          .filter(({ document }) => document === null)
          .map(({ file, content }) => ({ path: file.path, contentHash: content.contentHash })),
      );
      await moveDocuments(client, moved);
      const records = current.map(({ file, content }) => ({
        newId: ids(),
        path: file.path,
        stat: file.stat,
        content,
        modifiedAt: toDate(file.stat.mtimeNs),
        creatorId,
      }));
      return { current, documents: await putDocuments(client, records) };
    });
    publish(written.current, written.documents);
  }

  function publish(read: readonly ReadFile[], documents: readonly RecordedDocument[]): void {
    const before = new Map(read.map(({ file, document }) => [file.path, document]));
    const hashes = new Map(read.map(({ file, content }) => [file.path, content.contentHash]));
    const isChanged = ({ path }: RecordedDocument) => before.get(path)?.contentHash !== hashes.get(path);
    const isMoved = ({ path }: RecordedDocument) => before.get(path)?.path !== path;
    indexer.add(documents.filter(isChanged).map(({ id }) => id));
    publishDocuments(
      events,
      "create",
      documents.filter(({ isNew }) => isNew),
    );
    publishDocuments(
      events,
      "edit",
      documents.filter((document) => !document.isNew && (isChanged(document) || isMoved(document))),
    );
  }

  return {
    /** Records files, a batch at a time. Answers the documents that no file was found for; they are left as they are. */
    async record(changes: RecordChanges): Promise<RecordedFile[]> {
      const { assignments, unassigned } = assignDocuments(changes.found, changes.recorded);
      const gone = createGoneDocuments(files, unassigned, new Set(changes.found.map(({ path }) => path)));
      for (let start = 0; start < assignments.length; start += BATCH_FILES) {
        changes.term.signal.throwIfAborted();
        const batch = assignments.slice(start, start + BATCH_FILES);
        await writeBatch(await readBatch(batch, gone), changes);
        changes.onProgress(start + batch.length);
      }
      return gone.remaining();
    },

    /** Marks documents as deleted whose files are really gone from where they were recorded. */
    async markGone(
      gone: readonly RecordedFile[],
      { isStillVault, term }: { isStillVault: () => Promise<boolean>; term: Term },
    ): Promise<void> {
      const deleted = await locks.withTree("rebuildable", async (client) => {
        await term.hold(client);
        const places = await selectStillAt(client, gone);
        const candidates = gone.filter(({ id }) => places.has(id));
        const stats = await files.statAll(candidates.map(({ path }) => path));
        // A parked document's file is gone although another one is at its path.
        const isGone = ({ id }: RecordedFile, index: number) =>
          places.get(id) === "parked" || stats[index]?.kind !== "file";
        const confirmed = candidates.filter(isGone);
        if (!(await isStillVault())) return [];
        await markDeleted(
          client,
          confirmed.map(({ id }) => ({ id, trashKey: null })),
          clock.now(),
        );
        return confirmed;
      });
      publishDocuments(events, "delete", deleted);
    },
  };
}

/** Leaves out files that were changed, moved or deleted since they were read; whoever did that has them looked at again. */
async function stillAsRead(files: VaultFiles, read: readonly ReadFile[]): Promise<ReadFile[]> {
  const stats = await files.statAll(read.map(({ file }) => file.path));
  return read.filter(({ file }, index) => {
    const stat = stats[index] ?? null;
    return stat !== null && isSameState(stat, file.stat);
  });
}

/** Makes room for documents that follow their files to other paths, and says where they go. */
async function prepareMoves(client: PoolClient, read: readonly ReadFile[], recorded: readonly RecordedFile[]) {
  const moving = read.flatMap(({ file, document }) =>
    document === null || document.path === file.path ? [] : [{ document, path: file.path }],
  );
  const still = await selectStillAt(
    client,
    moving.map(({ document }) => document),
  );
  const moves = moving.filter(({ document }) => still.has(document.id));
  const own = new Map(read.map(({ file, document }) => [file.path, document?.id]));
  // Documents at these paths whose files went elsewhere; their turn comes in another batch.
  const displaced = recorded.filter(({ path, id }) => own.has(path) && own.get(path) !== id);
  const parked = [...moves.map(({ document }) => document.id), ...displaced.map(({ id }) => id)];
  if (parked.length > 0) await parkDocuments(client, { ids: parked, paths: moves.map(({ path }) => path) });
  return moves.map(({ document: { id, title, path: from }, path }) => ({
    id,
    path,
    title: title === fileTitle(nameOf(from)) ? fileTitle(nameOf(path)) : title,
  }));
}
