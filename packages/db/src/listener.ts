import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { type ListenSession, openListenSession } from "./listen-session.ts";
import type { Log } from "./log.ts";
import { errorMessage } from "./system-error.ts";

export type NotificationHandler = (payload: string) => void;
export type ConnectionHandler = (isListening: boolean) => void;

/** Receives PostgreSQL's notifications over a connection of its own, which it restores whenever it is lost. */
export interface Listener {
  /** Whether notifications arrive at this moment. */
  readonly isListening: boolean;
  /**
   * Has the handler called with each payload on the channel, in the order of commits. Resolves as soon as nothing is
   * missed any more, with how to stop it; while the database is away that takes until it is back (or until close).
   */
  listen(channel: string, handler: NotificationHandler): Promise<() => void>;
  /**
   * Tells the handler now, and after every change, whether notifications arrive. What was notified while they did not is
   * lost, so a cache that lives by notifications must distrust itself from `false` on and start anew at `true`.
   * Returns how to stop it.
   */
  onConnectionChange(handler: ConnectionHandler): () => void;
  /** Idempotent. */
  close(): Promise<void>;
}

interface ListenerOptions {
  readonly log: Log;
  /** How often to make sure that a silent connection is not a dead one. */
  readonly heartbeatMs?: number;
}

/** With the time that an answer may take, silence is noticed within ten seconds, like that of any other connection. */
const HEARTBEAT_MS = 5_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 5000;

/** Starts to connect in the background. It cannot fail, as it keeps trying until closed. */
export function createListener(poolConfig: ClientConfig, options: ListenerOptions): Listener {
  return new ReconnectingListener(poolConfig, options);
}

class ReconnectingListener implements Listener {
  readonly #log: Log;
  readonly #handlers = new Map<string, Set<NotificationHandler>>();
  readonly #connectionHandlers = new Set<ConnectionHandler>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  /** The connection, once it listens to every channel. */
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
        // Not needed on a connection that was made since the line above, and does no harm there.
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

  /** The session that listens now or will next; undefined when the listener is closed before. */
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

  /** Listens until the connection is lost, and returns why; undefined when the listener is closed. */
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

  /** A handler's error must neither reach PostgreSQL's connection nor the other handlers. */
  #call(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.#log.error({ err: error }, "a handler of notifications failed");
    }
  }
}
