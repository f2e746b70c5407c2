import type { Closable } from "@workspace/core";
import type { Connection, Connections } from "./connections.ts";

export interface UnreadResponseOptions {
  readonly connections: Connections;
  /** How long a response may wait without the client reading any of it. */
  readonly maxStallMs: number;
}

/** How far a response had got when it last made progress. */
interface Progress {
  readonly bytesWritten: number;
  readonly bytesWaiting: number;
  readonly progressedAt: number;
}

const CHECKS_PER_STALL = 6;

/**
 * Closes connections whose client has stopped reading its response, because the unread data is held in memory. A download over
 * a slow connection may take as long as it needs while it makes progress. WebSockets have their own rules.
 */
export function endUnreadResponses({ connections, maxStallMs }: UnreadResponseOptions): Closable {
  const progress = new WeakMap<Connection, Progress>();

  function check(connection: Connection, now: number): void {
    const { socket, lastResponse } = connection;
    // A connection that has become a WebSocket has no response that is still open.
    if (lastResponse === undefined || lastResponse.closed || socket.writableLength === 0) {
      progress.delete(connection);
      return;
    }
    const last = progress.get(connection);
    const { bytesWritten, writableLength: bytesWaiting } = socket;
    if (last === undefined || last.bytesWritten !== bytesWritten || last.bytesWaiting !== bytesWaiting) {
      progress.set(connection, { bytesWritten, bytesWaiting, progressedAt: now });
      return;
    }
    if (now - last.progressedAt >= maxStallMs) socket.destroy();
  }

  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections.values()) check(connection, now);
  }, maxStallMs / CHECKS_PER_STALL);
  return {
    async close() {
      clearInterval(timer);
    },
  };
}
