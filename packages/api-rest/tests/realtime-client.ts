import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { serverFrame } from "@workspace/core";
import { WebSocket, type RawData } from "ws";
import { API_TOKEN } from "./credentials.ts";

/** A received frame. Untyped, because the tests check its content. */
export type Frame = any;

export interface RealtimeClient {
  readonly socket: WebSocket;
  readonly frames: readonly Frame[];
  send(frame: object | string): void;
  /** The first frame, already received or not, that meets the condition. */
  waitFor(condition: (frame: Frame) => boolean): Promise<Frame>;
  /** The code with which the server closed the socket. */
  closeCode(): Promise<number>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

const TIMEOUT_MS = 10_000;

/** Connects with the API token unless other headers are given; rejects with the status of a refusal. */
export async function connectRealtime(
  url: string,
  { path = "/api/ws", headers }: ConnectOptions = {},
): Promise<RealtimeClient> {
  const socket = new WebSocket(url.replace(/^http/, "ws") + path, {
    headers: headers ?? { "X-API-Token": API_TOKEN },
  });
  const frames: Frame[] = [];
  socket.on("message", (data: RawData) => {
    const frame: Frame = JSON.parse(new TextDecoder().decode(data as Buffer));
    // Every frame that any test receives is as documented.
    serverFrame.parse(frame);
    frames.push(frame);
  });
  const closed = new Promise<number>((resolve) => socket.once("close", (code) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
    socket.once("unexpected-response", (_request, response) => {
      let body = "";
      response.on("data", (part) => (body += part));
      response.on("end", () => reject(Object.assign(new Error(body), { status: response.statusCode, body })));
    });
  });
  return {
    socket,
    frames,
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    async waitFor(condition) {
      const deadline = performance.now() + TIMEOUT_MS;
      for (;;) {
        const found = frames.find(condition);
        if (found !== undefined) return found;
        if (performance.now() > deadline)
          throw new Error(`No such frame among ${JSON.stringify(frames).slice(0, 2000)}`);
        await sleep(10);
      }
    },
    closeCode: () => closed,
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await once(socket, "close");
    },
  };
}
