import { setImmediate as nextTurn } from "node:timers/promises";
import type { Deps } from "../../platform/deps.ts";
import { DomainError } from "../../platform/errors.ts";
import { createSingleFlight } from "../../platform/single-flight.ts";
import { createWakeUp } from "../../platform/wake-up.ts";
import { isMarkdownName } from "../markdown/file-type.ts";
import { noteProperties } from "../markdown/properties.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { nameOf, type VaultPath } from "../vault/vault-path.ts";
import { readDocumentContent, type DocumentContent } from "./document-content.ts";
import {
  putTexts,
  selectIndexable,
  selectUnindexedIds,
  type IndexedText,
  type UnindexedDocument,
} from "./document-text.queries.ts";

const BATCH_DOCUMENTS = 64;
/** Several changes to a text within this time cost one update of the index. */
const BATCH_WINDOW_MS = 300;
/** With more documents than this, for example on the first start, the indexer does not pause. */
const LONG_QUEUE = 1_000;
/** How long to pause after each batch, relative to the time it took. */
const PAUSE_RATIO = 4;
/** Limited because the database driver serializes a batch synchronously. */
const BATCH_CHARACTERS = 1024 * 1024;
/** How long a search waits for recent writes to be indexed. */
const SEARCH_WAIT_MS = 2_000;
const PROGRESS_EVERY = 5_000;

export interface TextIndexerOptions extends Deps<"db" | "logger"> {
  readonly files: VaultFiles;
  /** Called after texts are stored. */
  readonly onStored?: () => void;
}

export type TextIndexer = ReturnType<typeof createTextIndexer>;

/**
 * Stores the texts of documents, for searching and restoring, and the properties of notes, for queries, shortly after the documents themselves: the substring index
 * costs the database more than the rest of a write, and only the last of several writes matters. Texts that are still
 * missing when the process exits are indexed at the next start.
 */
export function createTextIndexer({ db, files, logger, onStored }: TextIndexerOptions) {
  const pending = new Set<string>();
  const closing = new AbortController();
  const wakeUp = createWakeUp();
  /** Whether a search is waiting for the pending texts. */
  let isAwaited = false;
  let indexedCount = 0;
  const worker = createSingleFlight(work, (error) => logger.warn({ err: error }, "texts could not be indexed"));

  async function work(): Promise<void> {
    if (pending.size > 0) await pause(BATCH_WINDOW_MS);
    while (pending.size > 0 && !closing.signal.aborted) {
      const startedAtMs = performance.now();
      const ids = [...pending].slice(0, BATCH_DOCUMENTS);
      for (const id of ids) pending.delete(id);
      await index(await selectIndexable(db.pool, ids));
      report(ids.length);
      // Leaves most of the time for requests.
      if (pending.size > 0) await pause(PAUSE_RATIO * (performance.now() - startedAtMs));
    }
    indexedCount = 0;
  }

  async function pause(durationMs: number): Promise<void> {
    if (isAwaited || pending.size > LONG_QUEUE) await nextTurn();
    else await wakeUp.wait(durationMs, closing.signal);
  }

  async function index(documents: readonly UnindexedDocument[]): Promise<void> {
    let batch: IndexedText[] = [];
    let characters = 0;
    for (const document of documents) {
      const text = await readText(files, document);
      if (text === null) continue;
      batch.push(text);
      characters += text.text.length;
      if (characters < BATCH_CHARACTERS) continue;
      await putTexts(db.pool, batch);
      batch = [];
      characters = 0;
    }
    if (batch.length > 0) await putTexts(db.pool, batch);
    onStored?.();
  }

  function report(count: number): void {
    const before = indexedCount;
    indexedCount += count;
    if (Math.floor(indexedCount / PROGRESS_EVERY) === Math.floor(before / PROGRESS_EVERY)) return;
    logger.info({ indexed: indexedCount, remaining: pending.size }, "indexing the texts of the vault for search");
  }

  return {
    /** Schedules the texts of documents for indexing. */
    add(ids: Iterable<string>): void {
      for (const id of ids) pending.add(id);
      if (pending.size > 0 && !closing.signal.aborted) worker.run();
    },

    /** Schedules texts that are missing, for example because a process exited too early. */
    async addMissing(): Promise<void> {
      this.add(await selectUnindexedIds(db.pool));
    },

    /** The number of documents waiting to be indexed. */
    get pendingCount(): number {
      return pending.size;
    },

    /** Resolves once everything added so far is indexed, or after a timeout; immediately while there is very much. */
    async settled(): Promise<void> {
      if (pending.size > LONG_QUEUE) return;
      isAwaited = true;
      wakeUp.wake();
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, SEARCH_WAIT_MS)));
      await Promise.race([worker.idle(), timeout]);
      clearTimeout(timer);
      isAwaited = false;
    },

    async close(): Promise<void> {
      closing.abort();
      await worker.idle();
      pending.clear();
    },
  };
}

/** Null if the file does not match the document. In that case the document will be added again when the change is recorded. */
async function readText(files: VaultFiles, { id, path, contentHash }: UnindexedDocument): Promise<IndexedText | null> {
  const content = await readContent(files, path);
  if (content?.contentHash !== contentHash) return null;
  const text = content.text ?? "";
  const isMarkdown = isMarkdownName(nameOf(path));
  const isKept = isMarkdown && Buffer.byteLength(text) === content.sizeBytes;
  const properties = isMarkdown ? noteProperties(text) : null;
  return { documentId: id, contentHash, content: isKept ? text : null, text, properties };
}

async function readContent(files: VaultFiles, path: VaultPath): Promise<DocumentContent | null> {
  try {
    const file = await files.openFile(path);
    try {
      return await readDocumentContent(path, file);
    } finally {
      file.release();
    }
  } catch (error) {
    // Missing, replaced by a link, or inaccessible: the mirror takes care of it.
    if (error instanceof DomainError) return null;
    throw error;
  }
}
