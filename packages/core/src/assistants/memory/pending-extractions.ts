import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { Deps } from "../../platform/deps.ts";
import * as z from "zod";
import { repeat, type Closable } from "../../platform/repeat.ts";
import type { Window } from "./extracted-memories.ts";
import {
  claimPendingExtraction,
  deferPendingExtraction,
  deletePendingExtraction,
  deletePendingExtractionsBefore,
  insertPendingExtractions,
  type PendingExtraction,
} from "./pending-extraction.queries.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const POLL_MS = 1_000;
/** Longer than a model takes to answer; afterwards the process that claimed it is taken for dead. */
const LEASE_MS = 15 * 60_000;
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 6 * 3_600_000;
/** As long as assistants keep their own transcripts. */
const GIVE_UP_AFTER_MS = 30 * 24 * 3_600_000;
const MAX_ERROR_LENGTH = 500;

/** A part of a transcript that is to be read by the model. */
export type NewWindow = Omit<Window, "known">;

const contentSchema = z.object({
  text: z.string(),
  turns: z.array(z.object({ position: z.number().int().nullable(), text: z.string() })),
});

export type PendingExtractionsDeps = Deps<"db" | "clock" | "ids" | "logger">;

/** How windows are extracted. */
export interface WindowExtractor {
  /** Whether there is a model. Without one, windows wait. */
  readonly isReady: () => Promise<boolean>;
  /** Throws if the window is to be tried again later. */
  readonly extract: (window: NewWindow, signal: AbortSignal) => Promise<unknown>;
}

export type PendingExtractions = ReturnType<typeof createPendingExtractions>;

/**
 * The parts of transcripts that were handed over and not read yet. They are stored, so that the sender need not wait for the
 * model and nothing is lost with the process; each is read once, however many processes there are.
 */
export function createPendingExtractions({ db, clock, ids, logger }: PendingExtractionsDeps) {
  const later = (ms: number): Date => new Date(clock.now().getTime() + ms);

  /** Extracts one window that is due. False if there is none. */
  async function extractNext(extractor: WindowExtractor, signal: AbortSignal): Promise<boolean> {
    const pending = await claimPendingExtraction(db.pool, clock.now(), later(LEASE_MS));
    if (pending === null) return false;
    try {
      await extractor.extract(await toWindow(pending), signal);
      await deletePendingExtraction(db.pool, pending.id);
    } catch (error) {
      if (signal.aborted) await deferPendingExtraction(db.pool, pending.id, { dueAt: clock.now(), error: null });
      else await retryLater(pending, error);
    }
    return true;
  }

  async function retryLater({ id, attempts, sessionId }: PendingExtraction, error: unknown): Promise<void> {
    const delayMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20));
    const message = error instanceof Error ? error.message : String(error);
    logger.warn({ sessionId, err: error }, "memories could not be extracted; the part is left for later");
    await deferPendingExtraction(db.pool, id, { dueAt: later(delayMs), error: message.slice(0, MAX_ERROR_LENGTH) });
  }

  async function extractDue(extractor: WindowExtractor, signal: AbortSignal): Promise<void> {
    await deletePendingExtractionsBefore(db.pool, later(-GIVE_UP_AFTER_MS));
    while ((await extractor.isReady()) && !signal.aborted && (await extractNext(extractor, signal)));
  }

  return {
    /** Stores windows to be extracted; those that are pending already are not added again. */
    async add(windows: readonly NewWindow[]): Promise<void> {
      const values = [];
      for (const { hash: windowHash, sessionId, projectPath, text, turns } of windows) {
        const content = (await deflate(JSON.stringify({ text, turns }))).toString("base64");
        values.push({ id: ids(), windowHash, sessionId, projectPath, content });
      }
      if (values.length > 0) await insertPendingExtractions(db.pool, values, clock.now());
    },

    extractDue,

    /** Extracts what is pending, one window at a time, until it is closed. */
    start(extractor: WindowExtractor): Closable {
      const closing = new AbortController();
      const work = repeat(() => extractDue(extractor, closing.signal), {
        everyMs: POLL_MS,
        onError: (error) => logger.warn({ err: error }, "pending extractions could not be read"),
      });
      return {
        close() {
          closing.abort();
          return work.close();
        },
      };
    },
  };
}

async function toWindow(pending: PendingExtraction): Promise<NewWindow> {
  const { windowHash: hash, sessionId, projectPath } = pending;
  const content = contentSchema.parse(JSON.parse((await inflate(pending.content)).toString()));
  return { hash, sessionId, projectPath, ...content };
}
