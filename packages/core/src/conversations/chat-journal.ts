import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { retryWhileAway } from "../platform/retry-while-away.ts";
import type { ChatEvent } from "../realtime/frames.ts";
import { mergeTextDeltas } from "./answer-content.ts";
import { insertChatEvents, selectLastChatSeq } from "./chat-event.queries.ts";
import { selectConversationForUpdate } from "./conversation.queries.ts";

/** Tells every process that a conversation has more events, by its id. */
export const CHAT_CHANNEL = "workspace_chat";

/** Events are gathered for this long, so that a fast model costs few statements. */
const GATHER_MS = 40;

/** What a transaction of the journal is told. */
export interface JournalWrite {
  readonly client: PoolClient;
  /** Whether the conversation is still there. Of one that was deleted no event was written. */
  readonly isThere: boolean;
  /** The number of the last event that was written. */
  readonly lastSeq: number;
}

/** The events of one answer on their way into the database, from where all processes tell their clients. */
export interface ChatJournal {
  /** Adds an event; it is written soon. */
  add(event: ChatEvent): void;
  /**
   * Writes what was added, together with `work` in one transaction; while the database is away, it waits for it. Throws,
   * with nothing written and nothing lost, where that fails. Where the answer is not this process's to give any more, `work`
   * is not done and nothing is written. Answers whether it was.
   */
  commit(work: (write: JournalWrite) => Promise<void>): Promise<boolean>;
  /** Ends writing in the background; what is not written by then is for `commit`. */
  stop(): Promise<void>;
}

export interface ChatJournalOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly conversationId: string;
  /** The process that gives the answer. */
  readonly processId: string;
  /** The last event of the conversation so far. */
  readonly lastSeq: number;
  /** Whether a database that is away need not be waited for any more. */
  readonly isPointless: () => boolean;
}

export function createChatJournal(options: ChatJournalOptions): ChatJournal {
  const { db, clock, logger, conversationId, processId, isPointless } = options;
  let { lastSeq } = options;
  let pending: ChatEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** Writes follow each other, or events would be numbered twice. */
  let lane: Promise<unknown> = Promise.resolve();

  async function write(work?: (write: JournalWrite) => Promise<void>): Promise<boolean> {
    const events = mergeTextDeltas(pending);
    pending = [];
    const firstSeq = lastSeq + 1;
    const nextSeq = lastSeq + events.length;
    let isRepeat = false;
    const attempt = () =>
      transaction(db.pool, async (client): Promise<boolean> => {
        const conversation = await selectConversationForUpdate(client, conversationId);
        // A connection that broke during COMMIT leaves open whether it was one.
        const isWritten = isRepeat && events.length > 0 && (await selectLastChatSeq(client, conversationId)) >= nextSeq;
        isRepeat = true;
        if (isWritten) return true;
        const isOwner = conversation?.processId === processId && conversation.status === "streaming";
        if (isOwner && events.length > 0) {
          await insertChatEvents(client, { conversationId, firstSeq, events, now: clock.now() });
        }
        const isThere = conversation !== null;
        if (isOwner || !isThere) await work?.({ client, isThere, lastSeq: nextSeq });
        return isOwner;
      });
    try {
      const isOwner = await retryWhileAway(attempt, isPointless);
      lastSeq = nextSeq;
      if (events.length > 0) await tellEverybody();
      return isOwner;
    } catch (error) {
      pending = [...events, ...pending];
      throw error;
    }
  }

  /** What is not told is found when the channel is restored. */
  async function tellEverybody(): Promise<void> {
    try {
      await db.pool.query("SELECT pg_notify($1, $2)", [CHAT_CHANNEL, conversationId]);
    } catch (error) {
      logger.warn({ err: error, conversationId }, "clients could not be told of chat events");
    }
  }

  function inLane<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = lane.then(work);
    lane = result.catch(() => undefined);
    return result;
  }

  function writeSoon(): void {
    if (isStopped) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      inLane(async () => (pending.length > 0 ? write() : undefined)).catch((error: unknown) =>
        logger.error({ err: error, conversationId }, "chat events could not be written"),
      );
    }, GATHER_MS);
  }

  return {
    add(event) {
      pending.push(event);
      writeSoon();
    },
    commit: (work) => inLane(() => write(work)),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await lane;
    },
  };
}
