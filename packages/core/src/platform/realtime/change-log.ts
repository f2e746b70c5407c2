import type { Listener } from "@workspace/db";
import type { Deps } from "../deps.ts";
import type { Redactor } from "../redactor.ts";
import { repeat, type Closable } from "../repeat.ts";
import { createSingleFlight } from "../single-flight.ts";
import {
  deleteOldChanges,
  insertGap,
  isGap,
  LOG_CHANNEL,
  selectChangedResources,
  selectChangePlaces,
  selectChangesAfter,
  selectLogEnds,
  type ChangeEvent,
  type LogEntry,
} from "./change-event.queries.ts";
import { formatPosition, parsePosition } from "./change-position.ts";
import { createChangeWriter } from "./change-writer.ts";
import { MAX_CHANGED, type ChangedResources, type ChangesSince } from "./change.schema.ts";

const READ_BATCH = 500;
const KEPT_EVENTS = 20_000;
const PRUNE_EVERY_MS = 60_000;

/** Receives changes in sequence order, or a gap in place of changes that were lost or too many to send. */
export interface ChangeSubscriber {
  onChanges(events: readonly ChangeEvent[]): void;
  /** Changes up to this sequence number were skipped. */
  onGap(lastSeq: number): void;
}

/**
 * The changes made by all server processes, in one order. Local changes are appended in batches, in the background, so
 * they never delay the request that made them; every process reads the log when notified that it has grown, and passes
 * the new entries to its subscribers.
 */
export interface ChangeLog extends Closable {
  /** The last event passed to subscribers. */
  readonly lastSeq: number;
  start(): Promise<void>;
  /** Returns the function that ends the subscription. */
  subscribe(subscriber: ChangeSubscriber): () => void;
  /**
   * The events after `afterSeq`; null if the log has a gap or no longer reaches back that far. Subscribers may receive the
   * latest of them a second time.
   */
  replay(afterSeq: number): Promise<ChangeEvent[] | null>;
  /** What has changed since a client last asked; null if the log does not reach that far back, or is another one by now. */
  changedSince(since: ChangesSince): Promise<ChangedResources>;
  /** Resolves once the log has all changes that this process has published so far. */
  logged(): Promise<void>;
  /** Records that changes may have been lost because a process died before it could log them. */
  markGap(): Promise<void>;
}

/** The changes in a batch; null if it contains a gap, or if there may be more after it. */
function completeChanges(entries: readonly LogEntry[]): ChangeEvent[] | null {
  const changes = entries.filter((entry) => !isGap(entry));
  return changes.length === entries.length && entries.length < READ_BATCH ? changes : null;
}

export interface ChangeLogOptions extends Deps<"db" | "clock" | "events" | "logger"> {
  readonly listener: Listener;
  readonly redactor: Redactor;
}

export function createChangeLog({ db, listener, events, clock, redactor, logger }: ChangeLogOptions): ChangeLog {
  const subscribers = new Set<ChangeSubscriber>();
  const reader = createSingleFlight(drain, (error) => logger.warn({ err: error }, "the change log could not be read"));
  const writer = createChangeWriter({ pool: db.pool, clock, redactor, logger });
  const closers: (() => unknown)[] = [];
  let lastSeq = 0;

  async function drain(): Promise<void> {
    const batch = await selectChangesAfter(db.pool, lastSeq, READ_BATCH);
    const last = batch.at(-1);
    if (last === undefined) return;
    const changes = completeChanges(batch);
    // Too far behind, or with changes missing: subscribers reload instead of catching up one by one.
    lastSeq = changes === null ? (await selectLogEnds(db.pool)).last : last.seq;
    if (changes === null) notifyAll((subscriber) => subscriber.onGap(lastSeq));
    else notifyAll((subscriber) => subscriber.onChanges(changes));
  }

  /** Reads what other processes have logged since the last read. */
  async function catchUp(): Promise<void> {
    reader.run();
    await reader.idle();
  }

  function notifyAll(notify: (subscriber: ChangeSubscriber) => void): void {
    for (const subscriber of subscribers) {
      try {
        notify(subscriber);
      } catch (error) {
        logger.error({ err: error }, "a change subscriber failed");
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
      // Notifications sent while the connection was down are lost, but the log has the changes.
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
      return found[0]?.seq === afterSeq + 1 ? completeChanges(found) : null;
    },
    async changedSince({ after, resources }) {
      const since = after === undefined ? undefined : parsePosition(after);
      const { lastSeq: last, lastAt, at } = await selectChangePlaces(db.pool, since?.seq ?? 0);
      if (last === null || lastAt === null) return { position: formatPosition({ seq: 0 }), changed: null };
      const position = formatPosition({ seq: last, atMs: Date.parse(lastAt) });
      const isKnown = since !== undefined && at !== null && (since.atMs ?? Date.parse(at)) === Date.parse(at);
      if (!isKnown) return { position, changed: null };
      const range = { afterSeq: since.seq, lastSeq: last, kinds: resources, max: MAX_CHANGED };
      return { position, changed: await selectChangedResources(db.pool, range) };
    },
    logged: writer.written,
    markGap: () => insertGap(db.pool, clock.now()),
    async close() {
      for (const close of closers.splice(0).toReversed()) await close();
      await writer.close();
      await reader.idle();
    },
  };
}
