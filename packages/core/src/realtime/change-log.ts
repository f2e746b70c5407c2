import { setTimeout as sleep } from "node:timers/promises";
import type { Db, Listener } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import type { Change, EventBus } from "../platform/events.ts";
import type { Logger } from "../platform/logger.ts";
import type { Redactor } from "../platform/redactor.ts";
import { repeat, type Closable } from "../platform/repeat.ts";
import { createSingleFlight } from "../platform/single-flight.ts";
import {
  deleteOldChanges,
  insertChanges,
  insertGap,
  isGap,
  LOG_CHANNEL,
  selectChangesAfter,
  selectLogEnds,
  type ChangeEvent,
  type LogEntry,
  type NewChange,
} from "./change-event.queries.ts";

/** Changes are gathered for this long, so that a burst costs one statement. */
const GATHER_MS = 15;
/** More than this waits for nobody: clients are told to read everything again instead. */
const MAX_PENDING = 10_000;
const READ_BATCH = 500;
const KEPT_EVENTS = 20_000;
const PRUNE_EVERY_MS = 60_000;
const RETRY_MS = 500;

/** Hears of changes in the order of their sequence numbers; or, where too much happened, only up to where it did. */
export interface ChangeSubscriber {
  onChanges(events: readonly ChangeEvent[]): void;
  /** Changes up to this number were not told one by one. */
  onGap(lastSeq: number): void;
}

/**
 * The changes of all server processes in one order. Local changes are written down in batches, after the fact, and never
 * delay what caused them; every process reads the log when it is told that there is more, and tells its subscribers.
 */
export interface ChangeLog extends Closable {
  /** The last event that subscribers have heard of. */
  readonly lastSeq: number;
  start(): Promise<void>;
  /** Returns how to end it. */
  subscribe(subscriber: ChangeSubscriber): () => void;
  /**
   * The events after `afterSeq` so far; null where the log does not reach from there. Subscribers may hear of the last ones
   * again.
   */
  replay(afterSeq: number): Promise<ChangeEvent[] | null>;
  /** Tells everybody that changes may have been lost, because a process died before it could log them. */
  markGap(): Promise<void>;
}

/** The changes of a read; null where it is not all there was. */
function wholeOf(entries: readonly LogEntry[]): ChangeEvent[] | null {
  const changes = entries.filter((entry) => !isGap(entry));
  return changes.length === entries.length && entries.length < READ_BATCH ? changes : null;
}

export interface ChangeLogOptions {
  readonly db: Db;
  readonly listener: Listener;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly logger: Logger;
}

export function createChangeLog({ db, listener, events, clock, redactor, logger }: ChangeLogOptions): ChangeLog {
  const subscribers = new Set<ChangeSubscriber>();
  const reader = createSingleFlight(readOn, (error) => logger.warn({ err: error }, "the change log could not be read"));
  const writer = createWriter();
  const closers: (() => unknown)[] = [];
  let lastSeq = 0;

  function createWriter() {
    let pending: NewChange[] = [];
    let hasOverflowed = false;
    let isClosing = false;
    let writing: Promise<void> | undefined;

    const write = async (): Promise<void> => {
      await sleep(GATHER_MS);
      while (pending.length > 0) {
        const batch = pending;
        pending = [];
        try {
          await insertChanges(db.pool, batch);
        } catch (error) {
          logger.warn({ err: error, count: batch.length }, "changes could not be logged yet");
          if (isClosing) break;
          pending = [...batch, ...pending].slice(0, MAX_PENDING);
          await sleep(RETRY_MS);
        }
      }
      // In the same step as the check above, so that whatever is added next starts a new round.
      writing = undefined;
    };
    return {
      add(change: Change): void {
        if (pending.length >= MAX_PENDING) {
          if (!hasOverflowed) logger.error({}, "too many changes wait to be logged; clients will miss some");
          hasOverflowed = true;
          return;
        }
        const resourceName = change.resourceName === null ? null : redactor.redact(change.resourceName);
        pending.push({ ...change, resourceName, happenedAt: clock.now() });
        writing ??= write();
      },
      async close(): Promise<void> {
        isClosing = true;
        await writing;
      },
    };
  }

  async function readOn(): Promise<void> {
    const batch = await selectChangesAfter(db.pool, lastSeq, READ_BATCH);
    const last = batch.at(-1);
    if (last === undefined) return;
    const changes = wholeOf(batch);
    // Behind by more than anyone could show, or with something missing: one word for all of it.
    lastSeq = changes === null ? (await selectLogEnds(db.pool)).last : last.seq;
    if (changes === null) tell((subscriber) => subscriber.onGap(lastSeq));
    else tell((subscriber) => subscriber.onChanges(changes));
  }

  /** Another process may know more than this one has read. */
  async function catchUp(): Promise<void> {
    reader.run();
    await reader.idle();
  }

  function tell(how: (subscriber: ChangeSubscriber) => void): void {
    for (const subscriber of subscribers) {
      try {
        how(subscriber);
      } catch (error) {
        logger.error({ err: error }, "a subscriber of changes failed");
      }
    }
  }

  return {
    get lastSeq() {
      return lastSeq;
    },
    async start() {
      lastSeq = (await selectLogEnds(db.pool)).last;
      closers.push(events.subscribe((change) => writer.add(change)));
      closers.push(await listener.listen(LOG_CHANNEL, () => reader.run()));
      // What was said while nobody listened is in the log all the same.
      closers.push(listener.onConnectionChange((isListening) => isListening && reader.run()));
      const pruning = repeat(() => deleteOldChanges(db.pool, KEPT_EVENTS), {
        everyMs: PRUNE_EVERY_MS,
        onError: (error) => logger.warn({ err: error }, "old changes could not be removed"),
      });
      closers.push(() => pruning.close());
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    async replay(afterSeq) {
      if (afterSeq > lastSeq) await catchUp();
      if (afterSeq === lastSeq) return [];
      if (afterSeq > lastSeq) return null;
      const found = await selectChangesAfter(db.pool, afterSeq, READ_BATCH);
      return found[0]?.seq === afterSeq + 1 ? wholeOf(found) : null;
    },
    markGap: () => insertGap(db.pool, clock.now()),
    async close() {
      for (const close of closers.splice(0).toReversed()) await close();
      await writer.close();
      await reader.idle();
    },
  };
}
