import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { notify } from "../../platform/notify.ts";
import type { ChatEvent } from "../../platform/realtime/frames.ts";
import { retryWhileUnavailable } from "../../platform/retry-while-unavailable.ts";
import { mergeTextDeltas } from "./answer-content.ts";
import { insertChatEvents, selectLastChatSeq } from "./chat-event.queries.ts";
import { selectConversationForUpdate } from "./conversation.queries.ts";

/** Notifies all processes, by conversation id, of new events. */
export const CHAT_CHANNEL = "workspace_chat";

/** Events within this time are written together, so that a fast model causes few statements. */
const BATCH_WINDOW_MS = 40;

/** What a transaction of the journal can use. */
export interface JournalWrite {
  readonly client: PoolClient;
  /** Whether the conversation still exists. If not, no event was written. */
  readonly exists: boolean;
  /** The number of the last written event. */
  readonly lastSeq: number;
}

/** Writes the events of one answer to the database, from where all processes send them to their clients. */
export interface ChatJournal {
  /** Adds an event, which is written soon. */
  add(event: ChatEvent): void;
  /**
   * Writes all added events and does `work` in one transaction, and waits while the database is unavailable. If it throws,
   * nothing was written and nothing is lost. If the answer no longer belongs to this process, nothing is written and `work` is
   * not done. Returns whether the answer belongs to this process.
   */
  commit(work: (write: JournalWrite) => Promise<void>): Promise<boolean>;
  /** Stops writing in the background. Remaining events are written by `commit`. */
  stop(): Promise<void>;
}

export interface ChatJournalOptions extends Deps<"db" | "clock" | "logger"> {
  readonly conversationId: string;
  /** The process that executes the answer. */
  readonly processId: string;
  /** The number of the conversation's last event so far. */
  readonly lastSeq: number;
  /** Whether to stop waiting for an unavailable database. */
  readonly shouldAbort: () => boolean;
}

export function createChatJournal(options: ChatJournalOptions): ChatJournal {
  const { db, clock, logger, conversationId, processId, shouldAbort } = options;
  let { lastSeq } = options;
  let pending: ChatEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** The last write. Writes are queued, or two of them would use the same numbers. */
  let lastWrite: Promise<unknown> = Promise.resolve();

  async function write(work?: (write: JournalWrite) => Promise<void>): Promise<boolean> {
    const events = mergeTextDeltas(pending);
    pending = [];
    const firstSeq = lastSeq + 1;
    const nextSeq = lastSeq + events.length;
    let isRepeat = false;
    const attempt = () =>
      transaction(db.pool, async (client): Promise<boolean> => {
        const conversation = await selectConversationForUpdate(client, conversationId);
        // After a connection was lost during COMMIT, it is unknown whether the transaction was committed.
        const isWritten = isRepeat && events.length > 0 && (await selectLastChatSeq(client, conversationId)) >= nextSeq;
        isRepeat = true;
        if (isWritten) return true;
        const isOwner = conversation?.processId === processId && conversation.status === "streaming";
        if (isOwner && events.length > 0) {
          await insertChatEvents(client, { conversationId, firstSeq, events, now: clock.now() });
        }
        const exists = conversation !== null;
        if (isOwner || !exists) await work?.({ client, exists, lastSeq: nextSeq });
        return isOwner;
      });
    try {
      const isOwner = await retryWhileUnavailable(attempt, shouldAbort);
      lastSeq = nextSeq;
      if (events.length > 0) await notifyProcesses();
      return isOwner;
    } catch (error) {
      pending = [...events, ...pending];
      throw error;
    }
  }

  /** After a failure, the events are found once the channel is restored. */
  async function notifyProcesses(): Promise<void> {
    try {
      await notify(db.pool, CHAT_CHANNEL, conversationId);
    } catch (error) {
      logger.warn({ err: error, conversationId }, "could not notify processes of chat events");
    }
  }

  function enqueue<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = lastWrite.then(work);
    lastWrite = result.catch(() => undefined);
    return result;
  }

  function writeSoon(): void {
    if (isStopped) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      enqueue(async () => (pending.length > 0 ? write() : undefined)).catch((error: unknown) =>
        logger.error({ err: error, conversationId }, "could not write chat events"),
      );
    }, BATCH_WINDOW_MS);
  }

  return {
    add(event) {
      pending.push(event);
      writeSoon();
    },
    commit: (work) => enqueue(() => write(work)),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await lastWrite;
    },
  };
}
