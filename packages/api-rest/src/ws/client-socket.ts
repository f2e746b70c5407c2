import { setTimeout as sleep } from "node:timers/promises";
import type { ServerFrame } from "@workspace/core";
import type { WebSocket } from "ws";

/** How much is buffered for a client that does not read. Beyond that it is disconnected; it can reconnect and catch up. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/** With more than this buffered, no further frames of the client are executed. */
const CONGESTED_BYTES = 1024 * 1024;
const POLL_INTERVAL_MS = 50;

/** Why the server closes a socket. Codes from 4000 on are for applications. */
export const CLOSE_CODES = { goingAway: 1001, tooManyFrames: 1008, signedOut: 4401 } as const;

/** The sending side of one client's socket. Sending does nothing once it is closed. */
export interface ClientSocket {
  send(frame: ServerFrame): void;
  /** Sends a frame that has been encoded once for all clients. */
  sendEncoded(frame: Buffer): void;
  /** Replies to a protocol-level ping. */
  pong(data: Buffer): void;
  /** Resolves once the client has read most of what was sent, or has disconnected. */
  untilRead(): Promise<void>;
}

export function encodeFrame(frame: ServerFrame): Buffer {
  return Buffer.from(JSON.stringify(frame));
}

export function createClientSocket(socket: WebSocket): ClientSocket {
  const unlessStalled = (send: () => void): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
    else send();
  };
  const sendEncoded = (frame: Buffer): void => unlessStalled(() => socket.send(frame, { binary: false }));
  return {
    sendEncoded,
    send: (frame) => sendEncoded(encodeFrame(frame)),
    pong: (data) => unlessStalled(() => socket.pong(data)),
    async untilRead() {
      while (socket.readyState === socket.OPEN && socket.bufferedAmount > CONGESTED_BYTES)
        await sleep(POLL_INTERVAL_MS);
    },
  };
}
