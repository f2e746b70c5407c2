import type { ClientFrame, ServerFrame } from "@workspace/core";
import { onForget } from "../api/forget.ts";
import { reconnectDelayMs } from "./reconnect-delay.ts";

const PATH = "/api/ws";
/** After this long without a frame the server is asked for one. */
const QUIET_MS = 25_000;
/** So long it may take to answer that; a connection that is dead without saying so is given up. */
const ANSWER_MS = 10_000;
/** The server's word for a session that is over; there is no point in coming back. */
const SIGNED_OUT = 4401;

type FrameListener = (frame: ServerFrame) => void;
type OpenListener = () => void;

const frameListeners = new Set<FrameListener>();
const openListeners = new Set<OpenListener>();
let socket: WebSocket | undefined;
let users = 0;
let attempt = 0;
/** The last change that was heard of; what comes after it is told again after a lost connection. */
let lastSeq: number | undefined;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let quietTimer: ReturnType<typeof setTimeout> | undefined;

/** Hears every frame of the server. Answers how to stop. */
export function onFrame(listener: FrameListener): () => void {
  frameListeners.add(listener);
  return () => frameListeners.delete(listener);
}

/** Calls back whenever a connection is there, the first one and each later one. Answers how to stop. */
export function onSocketOpen(listener: OpenListener): () => void {
  openListeners.add(listener);
  if (socket?.readyState === WebSocket.OPEN) listener();
  return () => openListeners.delete(listener);
}

/** False, and nothing is sent, while there is no connection. */
export function sendFrame(frame: ClientFrame): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(frame));
  return true;
}

/** Keeps a connection to the server until the answer is called, and comes back after every loss. */
export function keepConnected(): () => void {
  users += 1;
  if (users === 1) connect();
  return () => {
    users -= 1;
    if (users === 0) disconnect();
  };
}

function connect(): void {
  clearTimeout(retryTimer);
  const url = new URL(PATH, window.location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  if (lastSeq !== undefined) url.searchParams.set("afterSeq", String(lastSeq));
  const opened = new WebSocket(url);
  socket = opened;
  opened.addEventListener("open", () => {
    attempt = 0;
    watchQuiet();
    openListeners.forEach((listener) => listener());
  });
  opened.addEventListener("message", ({ data }: MessageEvent<string>) => {
    watchQuiet();
    // The server sends nothing else, and both are of one build.
    const frame: ServerFrame = JSON.parse(data);
    take(frame);
  });
  opened.addEventListener("close", ({ code }) => {
    if (socket !== opened) return;
    socket = undefined;
    clearTimeout(quietTimer);
    if (users > 0 && code !== SIGNED_OUT) retryLater();
  });
}

function take(frame: ServerFrame): void {
  if (frame.type === "resource_change") lastSeq = frame.seq;
  if (frame.type === "connected" || (frame.type === "resync" && frame.conversationId === undefined)) {
    lastSeq = frame.lastSeq;
  }
  frameListeners.forEach((listener) => listener(frame));
}

function retryLater(): void {
  clearTimeout(retryTimer);
  retryTimer = setTimeout(connect, reconnectDelayMs(attempt, Math.random()));
  attempt += 1;
}

function disconnect(): void {
  clearTimeout(retryTimer);
  clearTimeout(quietTimer);
  const open = socket;
  socket = undefined;
  open?.close();
}

/** A phone that slept or a cable that was pulled leaves a socket that looks open and is not. */
function watchQuiet(): void {
  clearTimeout(quietTimer);
  quietTimer = setTimeout(() => {
    sendFrame({ type: "ping" });
    quietTimer = setTimeout(() => {
      const dead = socket;
      socket = undefined;
      dead?.close();
      if (users > 0) retryLater();
    }, ANSWER_MS);
  }, QUIET_MS);
}

/** Waiting is over when the network is back or somebody looks again. */
function retryNow(): void {
  if (users > 0 && socket === undefined) connect();
}

window.addEventListener("online", retryNow);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") retryNow();
});
onForget(() => {
  lastSeq = undefined;
});
