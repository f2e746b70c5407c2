import type { ClientFrame, ServerFrame } from "@workspace/core";
import type { PageUser } from "../api/page-user.ts";
import { publicUrlOf } from "../browser/base-path.ts";
import { Listeners } from "../client/listeners.ts";
import { reconnectDelayMs } from "./reconnect-delay.ts";

const PATH = "/api/ws";
/** After this long without a frame, the server is asked for one. */
const IDLE_PING_MS = 25_000;
/** How long the server may take to reply before the connection is considered dead. */
const REPLY_TIMEOUT_MS = 10_000;
/** The server's close code for an ended session; there is no point in reconnecting without a new one. */
const SIGNED_OUT = 4401;

/** The WebSocket on which the server announces changes and streams chats. */
export class Socket {
  readonly #frames = new Listeners<ServerFrame>();
  readonly #opened = new Listeners();
  readonly #sessionEnded = new Listeners();
  readonly #data = new Listeners<number>();
  readonly #disposed = new AbortController();
  readonly #pageUser: Pick<PageUser, "id">;
  #socket: WebSocket | undefined;
  #users = 0;
  #heardAt = 0;
  #attempt = 0;
  /**
   * The number of the last change that the page has; on connecting, the server sends the changes after it. Before the first
   * connection, it is that of the oldest data.
   */
  #lastSeq: number | undefined;
  /** Where the changes received begin; data that is older than that lacks some. */
  #firstSeq: number | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(pageUser: Pick<PageUser, "id">) {
    this.#pageUser = pageUser;
    const { signal } = this.#disposed;
    // Reconnects immediately when the network is back or the page becomes visible again.
    window.addEventListener("online", () => this.#retryNow(), { signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#retryNow(), {
      signal,
    });
  }

  /** When the server last sent anything. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** Calls back with every frame from the server. Returns a function that unsubscribes. */
  onFrame(listener: (frame: ServerFrame) => void): () => void {
    return this.#frames.add(listener);
  }

  /**
   * Calls back whenever a connection has been opened, initially and after every loss. Returns a function that unsubscribes.
   */
  onOpen(listener: () => void): () => void {
    if (this.#socket?.readyState === WebSocket.OPEN) listener();
    return this.#opened.add(listener);
  }

  /** Calls back when the server has closed the connection because its session has ended. Returns a function that unsubscribes. */
  onSessionEnd(listener: () => void): () => void {
    return this.#sessionEnded.add(listener);
  }

  /** Calls back with the number of the last change that a response certainly includes. Returns a function that unsubscribes. */
  onData(listener: (lastSeq: number) => void): () => void {
    return this.#data.add(listener);
  }

  /** Returns false, without sending anything, while there is no connection. */
  send(frame: ClientFrame): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  /** Keeps a connection to the server, reconnecting after every loss, until the returned function is called. */
  stayConnected(): () => void {
    this.#users += 1;
    if (this.#users === 1) this.#connect();
    return () => {
      this.#users -= 1;
      if (this.#users === 0) this.#disconnect();
    };
  }

  /** Connects again, with the session that the browser has now. */
  reconnect(): void {
    this.#disconnect();
    this.#retryNow();
  }

  /** The page has read data that includes the changes up to this number, perhaps none of the later ones. */
  includeData(lastSeq: number): void {
    this.#data.emit(lastSeq);
    if (this.#firstSeq === undefined) {
      this.#lastSeq = Math.min(this.#lastSeq ?? lastSeq, lastSeq);
    } else if (lastSeq < this.#firstSeq) {
      this.#lastSeq = lastSeq;
      this.reconnect();
    }
  }

  /** The next session starts without what this one has received. */
  forget(): void {
    this.#lastSeq = undefined;
    this.#firstSeq = undefined;
  }

  dispose(): void {
    this.#disposed.abort();
    this.#users = 0;
    this.#disconnect();
  }

  #connect(): void {
    clearTimeout(this.#retryTimer);
    const url = new URL(publicUrlOf(PATH));
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const afterSeq = this.#lastSeq;
    if (afterSeq !== undefined) url.searchParams.set("afterSeq", String(afterSeq));
    const userId = this.#pageUser.id;
    if (userId !== undefined) url.searchParams.set("pageUser", userId);
    const opened = new WebSocket(url);
    this.#socket = opened;
    opened.addEventListener("open", () => {
      this.#attempt = 0;
      this.#watchIdle();
      this.#opened.emit();
    });
    opened.addEventListener("message", ({ data }: MessageEvent<string>) => {
      this.#heardAt = Date.now();
      this.#watchIdle();
      // The server sends nothing else, and both are from the same build.
      const frame: ServerFrame = JSON.parse(data);
      this.#receive(frame, afterSeq);
    });
    opened.addEventListener("close", ({ code }) => {
      if (this.#socket !== opened) return;
      this.#socket = undefined;
      clearTimeout(this.#idleTimer);
      if (code === SIGNED_OUT) this.#sessionEnded.emit();
      else if (this.#users > 0) this.#retryLater();
    });
  }

  #receive(frame: ServerFrame, afterSeq: number | undefined): void {
    if (frame.type === "resource_change") this.#lastSeq = frame.seq;
    if (frame.type === "connected") this.#onConnected(frame.lastSeq, afterSeq);
    if (frame.type === "resync" && frame.conversationId === undefined) this.#lastSeq = frame.lastSeq;
    this.#frames.emit(frame);
  }

  #onConnected(firstSeq: number, afterSeq: number | undefined): void {
    // Data that arrived while the first connection was being opened may lack changes from before it.
    const isFirst = this.#firstSeq === undefined;
    if (isFirst && this.#lastSeq !== undefined && this.#lastSeq < (afterSeq ?? firstSeq)) {
      this.reconnect();
      return;
    }
    if (isFirst) this.#firstSeq = firstSeq;
    this.#lastSeq = firstSeq;
  }

  #retryLater(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#connect(), reconnectDelayMs(this.#attempt, Math.random()));
    this.#attempt += 1;
  }

  #retryNow(): void {
    if (this.#users > 0 && this.#socket === undefined) this.#connect();
  }

  #disconnect(): void {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#idleTimer);
    const open = this.#socket;
    this.#socket = undefined;
    open?.close();
  }

  /** After a phone has slept or a cable has been pulled, a dead socket still looks open. */
  #watchIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      this.send({ type: "ping" });
      this.#idleTimer = setTimeout(() => {
        const silent = this.#socket;
        this.#socket = undefined;
        silent?.close();
        if (this.#users > 0) this.#retryLater();
      }, REPLY_TIMEOUT_MS);
    }, IDLE_PING_MS);
  }
}
