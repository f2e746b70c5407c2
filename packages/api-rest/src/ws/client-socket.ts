import { setTimeout as sleep } from "node:timers/promises";
import type { ServerFrame } from "@workspace/core";
import type { WebSocket } from "ws";

/** What may wait in memory for a client that does not read. Beyond it the client is dropped; it can come back and catch up. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/** With more than this on its way, a client is given nothing more that it asks for. */
const CONGESTED_BYTES = 1024 * 1024;
const LOOK_AGAIN_MS = 50;

/** Why the server closes a socket. Codes from 4000 on are for applications. */
export const CLOSE_CODES = { goingAway: 1001, tooManyFrames: 1008, signedOut: 4401 } as const;

/** The sending side of one client's socket. Sending to one that is closed does nothing. */
export interface ClientSocket {
  send(frame: ServerFrame): void;
  /** Sends a frame that was encoded before, for all clients at once. */
  sendEncoded(frame: Buffer): void;
  /** Answers a ping of the protocol. */
  pong(data: Buffer): void;
  /** Resolves when the client has read most of what it was sent, or is gone. */
  untilRead(): Promise<void>;
}

export function encodeFrame(frame: ServerFrame): Buffer {
  return Buffer.from(JSON.stringify(frame));
}

export function createClientSocket(socket: WebSocket): ClientSocket {
  const whileRead = (send: () => void): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
    else send();
  };
  const sendEncoded = (frame: Buffer): void => whileRead(() => socket.send(frame, { binary: false }));
  return {
    sendEncoded,
    send: (frame) => sendEncoded(encodeFrame(frame)),
    pong: (data) => whileRead(() => socket.pong(data)),
    async untilRead() {
      while (socket.readyState === socket.OPEN && socket.bufferedAmount > CONGESTED_BYTES) await sleep(LOOK_AGAIN_MS);
    },
  };
}
