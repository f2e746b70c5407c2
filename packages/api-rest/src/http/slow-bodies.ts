import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Closable } from "@workspace/core";
import type { Connection, Connections } from "./connections.ts";
import { endWithError } from "./raw-response.ts";

/** How fast the body of a request must come: so many bytes a second, on average over each window. */
export interface BodyRate {
  readonly minBytesPerSecond: number;
  readonly windowMs: number;
}

export interface SlowBodyOptions {
  readonly connections: Connections;
  readonly rate: BodyRate;
  readonly responseHeaders: Readonly<OutgoingHttpHeaders>;
}

/** What had come of a body when the window began. */
interface Window {
  readonly request: IncomingMessage;
  readonly bytesRead: number;
  readonly startedAt: number;
}

const CHECKS_PER_WINDOW = 6;

/**
 * Ends requests whose body comes too slowly, with 408 where nothing was answered yet. A large upload over a slow line may so
 * take as long as it needs while data flows, and one that dribbles holds its connection for little more than a window. A
 * window in which the server itself did not read on counts for nothing.
 */
export function endSlowBodies({ connections, rate, responseHeaders }: SlowBodyOptions): Closable {
  const windows = new WeakMap<Connection, Window>();

  function check(connection: Connection, now: number): void {
    const { socket, lastResponse } = connection;
    const request = lastResponse?.req;
    if (request === undefined) return;
    if (request.complete) {
      // What an idle connection was last asked need not stay in memory.
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
    if (isUnanswered) endWithError(socket, { status: 408, message: "The body came too slowly." }, responseHeaders);
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
