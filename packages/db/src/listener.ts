import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { type ListenSession, openListenSession } from "./listen-session.ts";
import type { Log } from "./log.ts";
import { errorMessage } from "./system-error.ts";

export type NotificationHandler = (payload: string) => void;
export type ConnectionHandler = (isListening: boolean) => void;

/** Receives PostgreSQL's notifications over its own connection, which it restores whenever it is lost. */
export interface Listener {
  /** Whether notifications are currently received. */
  readonly isListening: boolean;
  /**
   * Calls the handler with each payload on the channel, in the order of commits. Resolves once no more notifications can be
   * missed, with a function that stops it; while the database is unavailable, that takes until it is back (or until close).
   */
  listen(channel: string, handler: NotificationHandler): Promise<() => void>;
  /**
   * Calls the handler now, and after every change, with whether notifications arrive. Notifications sent in the meantime are
   * lost, so a cache that relies on them must not be trusted from `false` on, and must be reset at `true`. Returns a function
   * that ends it.
   */
  onConnectionChange(handler: ConnectionHandler): () => void;
  /** Idempotent. */
  close(): Promise<void>;
}

interface ListenerOptions {
  readonly log: Log;
  /** How often to check that a silent connection is still alive. */
  readonly heartbeatMs?: number;
}

/** Including the timeout for a response, a dead connection is noticed within ten seconds, like any other. */
const HEARTBEAT_MS = 5_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 5000;

/** Starts to connect in the background. It cannot fail, because it retries until closed. */
export function createListener(poolConfig: ClientConfig, options: ListenerOptions): Listener {
  return new ReconnectingListener(poolConfig, options);
}

class ReconnectingListener implements Listener {
  readonly #log: Log;
  readonly #handlers = new Map<string, Set<NotificationHandler>>();
  readonly #connectionHandlers = new Set<ConnectionHandler>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  /** The connection, once it listens to all channels. */
  #session: ListenSession | undefined;

  constructor(poolConfig: ClientConfig, { log, heartbeatMs = HEARTBEAT_MS }: ListenerOptions) {
    this.#log = log;
    const onNotification = (channel: string, payload: string): void => {
      for (const handle of this.#handlers.get(channel) ?? []) this.#call(() => handle(payload));
    };
    this.#running = this.#run(() => openListenSession(poolConfig, { onNotification, heartbeatMs }));
  }

  get isListening(): boolean {
    return this.#session !== undefined;
  }

  async listen(channel: string, handler: NotificationHandler): Promise<() => void> {
    const handlers = this.#handlers.get(channel) ?? new Set();
    this.#handlers.set(channel, handlers.add(handler));
    while (!this.#closing.signal.aborted) {
      const session = await this.#nextSession();
      try {
        // A connection that was opened since `handlers` was set already listens; a repeated LISTEN is harmless.
        await session?.listenTo(channel);
        break;
      } catch {
        await session?.lost;
      }
    }
    return () => void handlers.delete(handler);
  }

  onConnectionChange(handler: ConnectionHandler): () => void {
    this.#connectionHandlers.add(handler);
    this.#call(() => handler(this.isListening));
    return () => void this.#connectionHandlers.delete(handler);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** The current session or the next one; undefined if the listener is closed before. */
  #nextSession(): Promise<ListenSession | undefined> {
    if (this.#session !== undefined || this.#closing.signal.aborted) return Promise.resolve(this.#session);
    return new Promise((resolve) => {
      const settle = (): void => {
        this.#connectionHandlers.delete(settle);
        this.#closing.signal.removeEventListener("abort", settle);
        resolve(this.#session);
      };
      this.#connectionHandlers.add(settle);
      this.#closing.signal.addEventListener("abort", settle);
    });
  }

  async #run(open: () => Promise<ListenSession>): Promise<void> {
    const { signal } = this.#closing;
    let delayMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      try {
        const reason = await this.#serve(await open());
        if (reason !== undefined) this.#log.warn({ reason }, "the connection for notifications was lost, restoring it");
        delayMs = FIRST_RETRY_MS;
      } catch (error) {
        this.#log.warn({ reason: errorMessage(error), retryInMs: delayMs }, "cannot listen for notifications");
        delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS);
      }
      await sleep(delayMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Listens until the connection is lost, and returns the reason; undefined if the listener is closed. */
  async #serve(session: ListenSession): Promise<string | undefined> {
    const { signal } = this.#closing;
    const served = new AbortController();
    try {
      for (const channel of this.#handlers.keys()) await session.listenTo(channel);
      if (signal.aborted) return undefined;
      this.#setSession(session);
      const closed = new Promise<undefined>((resolve) => {
        signal.addEventListener("abort", () => resolve(undefined), { once: true, signal: served.signal });
      });
      return await Promise.race([session.lost, closed]);
    } finally {
      served.abort();
      this.#setSession(undefined);
      await session.close();
    }
  }

  #setSession(session: ListenSession | undefined): void {
    const wasListening = this.isListening;
    this.#session = session;
    if (this.isListening === wasListening) return;
    for (const handle of this.#connectionHandlers) this.#call(() => handle(this.isListening));
  }

  /** A handler's error must not affect the connection or the other handlers. */
  #call(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.#log.error({ err: error }, "a handler of notifications failed");
    }
  }
}
