import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db } from "@workspace/db";
import { DomainError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { createSingleFlight } from "../platform/single-flight.ts";
import { createWakeUp } from "../platform/wake-up.ts";
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
import { isMarkdownName } from "./file-type.ts";

const BATCH_DOCUMENTS = 64;
/** Several changes of one text within this time cost one update of the index. */
const GATHER_MS = 300;
/** From so many on, for example at the first start, it is done as fast as it can be. */
const LONG_QUEUE = 1_000;
/** How much longer than it works it rests. */
const REST_SHARE = 4;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** A search waits this long for what was just written to be found by it. */
const SEARCH_WAIT_MS = 2_000;
const PROGRESS_EVERY = 5_000;

export interface TextIndexerOptions {
  readonly db: Db;
  readonly files: VaultFiles;
  readonly logger: Logger;
}

export type TextIndexer = ReturnType<typeof createTextIndexer>;

/**
 * Stores the texts of documents for search and for restoring, a moment after the documents themselves: finding every part
 * of a text costs the database more than all the rest of a write, and of several writes only the last one counts. What is
 * not done when the process ends is found again at the next start.
 */
export function createTextIndexer({ db, files, logger }: TextIndexerOptions) {
  const pending = new Set<string>();
  const closing = new AbortController();
  const wakeUp = createWakeUp();
  /** Whether somebody waits for all that is pending. */
  let isAwaited = false;
  let done = 0;
  const worker = createSingleFlight(work, (error) => logger.warn({ err: error }, "texts could not be indexed"));

  async function work(): Promise<void> {
    if (pending.size > 0) await rest(GATHER_MS);
    while (pending.size > 0 && !closing.signal.aborted) {
      const startedAtMs = performance.now();
      const ids = [...pending].slice(0, BATCH_DOCUMENTS);
      for (const id of ids) pending.delete(id);
      await index(await selectIndexable(db.pool, ids));
      report(ids.length);
      // Most of the time is left to what people wait for.
      if (pending.size > 0) await rest(REST_SHARE * (performance.now() - startedAtMs));
    }
    done = 0;
  }

  async function rest(forMs: number): Promise<void> {
    if (isAwaited || pending.size > LONG_QUEUE) await nextTurn();
    else await wakeUp.wait(forMs, closing.signal);
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
  }

  function report(count: number): void {
    const before = done;
    done += count;
    if (Math.floor(done / PROGRESS_EVERY) === Math.floor(before / PROGRESS_EVERY)) return;
    logger.info({ indexed: done, remaining: pending.size }, "indexing the texts of the vault for search");
  }

  return {
    /** Has the texts of documents stored soon. */
    add(ids: Iterable<string>): void {
      for (const id of ids) pending.add(id);
      if (pending.size > 0 && !closing.signal.aborted) worker.run();
    },

    /** Has the texts stored that are missing, for example because a process ended before it had. */
    async addMissing(): Promise<void> {
      this.add(await selectUnindexedIds(db.pool));
    },

    /** How many documents wait. */
    get pendingCount(): number {
      return pending.size;
    },

    /** Resolves when all texts are stored that were added so far, or after a while if that takes long. */
    async settled(): Promise<void> {
      isAwaited = true;
      wakeUp.ring();
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

/** Null where the file is not the one that the document describes; whoever records the change adds it again. */
async function readText(files: VaultFiles, { id, path, contentHash }: UnindexedDocument): Promise<IndexedText | null> {
  const content = await readContent(files, path);
  if (content?.contentHash !== contentHash) return null;
  const text = content.text ?? "";
  const isKept = isMarkdownName(nameOf(path)) && Buffer.byteLength(text) === content.sizeBytes;
  return { documentId: id, contentHash, content: isKept ? text : null, text };
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
    // Gone, replaced by a link, or out of reach: the mirror deals with it.
    if (error instanceof DomainError) return null;
    throw error;
  }
}
