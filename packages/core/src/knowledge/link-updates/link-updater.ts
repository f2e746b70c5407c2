import type { Deps } from "../../platform/deps.ts";
import { ConflictError, DomainError, NotFoundError, UnavailableError } from "../../platform/errors.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import { HEAD_BYTES } from "../file-records/document-content.ts";
import { publishDocuments } from "../file-records/document-events.ts";
import type { WriteFileWithDocument, WrittenFile } from "../file-records/file-writer.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import { FileChangedError } from "../vault/durable-write.ts";
import type { FileContent } from "../vault/new-file.ts";
import type { OpenFile } from "../vault/regular-file.ts";
import type { VersionStore } from "../vault/version-store.ts";
import {
  finishFiles,
  finishUpdate,
  refuseRestored,
  reopenFiles,
  selectPendingFiles,
  type PendingFile,
} from "./link-update.queries.ts";
import { createContentPreparer, type ContentPreparerDeps, type NewContent } from "./new-contents.ts";
import { haveMoved, readLinkWorld, type LinkWorld } from "./link-world.ts";

const CHUNK_FILES = 256;
const MAX_CONCURRENT_WRITES = 64;
/** How often what is not finished is tried again at once: files that are being edited, documents that move meanwhile. */
const MAX_ROUNDS = 8;

export interface LinkUpdaterDeps extends ContentPreparerDeps, Deps<"events" | "logger"> {
  readonly versions: VersionStore;
  readonly indexer: TextIndexer;
  readonly writeFile: WriteFileWithDocument;
}

/**
 * Creates the function that carries out a link update, or what is left of it. Each file is read when its turn comes; what is about to be
 * written is recorded before, and written only if the file has not been changed in between, otherwise the file is read again. So the
 * update can be carried out repeatedly, and by several processes at once.
 */
export function createLinkUpdater(deps: LinkUpdaterDeps): (updateId: string) => Promise<void> {
  const { db, events, logger, indexer, versions, writeFile } = deps;
  const prepare = createContentPreparer(deps);

  /** Returns the document; why the content was not written otherwise. */
  async function write({ file, before, afterHash, bytes }: NewContent): Promise<WrittenFile | "changed" | "not kept"> {
    const { path, creatorId, author } = file;
    const version = bytes === null ? await openVersion(versions, afterHash) : null;
    if (bytes === null && version === null) return "not kept";
    try {
      const content = bytes ?? (await contentOf(version));
      return await writeFile({ path, creatorId, author, content, lastRead: before, basedOn: before.contentHash });
    } catch (error) {
      // It was edited or moved: what it says now decides.
      if (error instanceof FileChangedError || error instanceof ConflictError) return "changed";
      throw error;
    } finally {
      version?.release();
    }
  }

  /** Writes contents. Returns the documents to look at again; those that cannot be written are reported and left alone. */
  async function writeAll(updateId: string, contents: readonly NewContent[]): Promise<Set<string>> {
    const again = new Set<string>();
    const notKept: string[] = [];
    const written: { id: string; title: string }[] = [];
    await mapConcurrently(contents, MAX_CONCURRENT_WRITES, async (content) => {
      const { documentId, path } = content.file;
      try {
        const result = await write(content);
        if (result === "not kept") notKept.push(documentId);
        if (typeof result === "string") again.add(documentId);
        else written.push({ id: result.documentId, title: result.title });
      } catch (err) {
        if (err instanceof UnavailableError || !(err instanceof DomainError || isSystemError(err))) throw err;
        logger.warn({ err, path }, "the links of a note could not be changed");
      }
    });
    await refuseRestored(db.pool, updateId, notKept);
    indexer.add(written.map(({ id }) => id));
    publishDocuments(events, "edit", written);
    return again;
  }

  /** Each chunk is prepared while the one before is written. */
  async function carryOut(updateId: string, pending: readonly PendingFile[], world: LinkWorld): Promise<void> {
    const chunks = Array.from({ length: Math.ceil(pending.length / CHUNK_FILES) }, (_, index) =>
      pending.slice(index * CHUNK_FILES, (index + 1) * CHUNK_FILES),
    );
    let writing: Promise<void> = Promise.resolve();
    for (const chunk of chunks) {
      const [contents] = await Promise.all([prepare(updateId, chunk, world), writing]);
      writing = writeChunk(updateId, chunk, contents);
      // Awaited with the next one; until then, a failure is not an unhandled one.
      writing.catch(() => undefined);
    }
    await writing;
  }

  async function writeChunk(
    updateId: string,
    chunk: readonly PendingFile[],
    contents: readonly NewContent[],
  ): Promise<void> {
    const again = await writeAll(updateId, contents);
    const done = chunk.map(({ documentId }) => documentId).filter((id) => !again.has(id));
    await finishFiles(db.pool, updateId, done);
  }

  return async (updateId) => {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const pending = await selectPendingFiles(db.pool, updateId);
      if (pending.length === 0) break;
      const world = await readLinkWorld(db.pool, pending);
      await carryOut(updateId, pending, world);
      if (await haveMoved(db.pool, world)) await reopenFiles(db.pool, updateId);
    }
    await finishUpdate(db.pool, updateId);
  };
}

async function openVersion(versions: VersionStore, hash: string): Promise<OpenFile | null> {
  try {
    return await versions.open(hash);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** A content in memory, which is written faster, unless it is large. */
async function contentOf(version: OpenFile | null): Promise<FileContent> {
  if (version === null) return Buffer.alloc(0);
  return version.stat.sizeBytes <= HEAD_BYTES ? version.readAll(HEAD_BYTES) : version.chunks();
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
