import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Closable } from "@workspace/core";
import type { Connection, Connections } from "./connections.ts";
import { endWithError } from "./raw-response.ts";

/** How fast the body of a request must arrive: the average over each window. */
export interface BodyRate {
  readonly minBytesPerSecond: number;
  readonly windowMs: number;
}

export interface SlowBodyOptions {
  readonly connections: Connections;
  readonly rate: BodyRate;
  readonly responseHeaders: Readonly<OutgoingHttpHeaders>;
}

/** How much of a body had arrived when the window began. */
interface Window {
  readonly request: IncomingMessage;
  readonly bytesRead: number;
  readonly startedAt: number;
}

const CHECKS_PER_WINDOW = 6;

/**
 * Ends requests whose body arrives too slowly, with 408 if no response has been sent. So a large upload over a slow connection
 * may take as long as it needs while data keeps arriving, and one that trickles in occupies its connection for little more than
 * a window. Windows in which the server itself did not read do not count.
 */
export function endSlowBodies({ connections, rate, responseHeaders }: SlowBodyOptions): Closable {
  const windows = new WeakMap<Connection, Window>();

  function check(connection: Connection, now: number): void {
    const { socket, lastResponse } = connection;
    const request = lastResponse?.req;
    if (request === undefined) return;
    if (request.complete) {
      // The last request of an idle connection need not stay in memory.
      if (lastResponse?.closed === true) connection.lastResponse = undefined;
      return;
    }
    const window = windows.get(connection);
    const isNew = window?.request !== request || request.readableLength >= request.readableHighWaterMark;
    if (!isNew && now - window.startedAt < rate.windowMs) return;
    if (!isNew && socket.bytesRead - window.bytesRead < (rate.minBytesPerSecond * (now - window.startedAt)) / 1000) {
      end(connection);
      return;
    }
    windows.set(connection, { request, bytesRead: socket.bytesRead, startedAt: now });
  }

  function end({ socket, lastResponse }: Connection): void {
    const isUnanswered = lastResponse?.headersSent === false && lastResponse.socket === socket;
    if (isUnanswered) endWithError(socket, { status: 408, message: "The body arrived too slowly." }, responseHeaders);
    socket.destroySoon();
  }

  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections.values()) check(connection, now);
  }, rate.windowMs / CHECKS_PER_WINDOW);
  return {
    async close() {
      clearInterval(timer);
    },
  };
}
