import type { Closable } from "@workspace/core";
import type { Connection, Connections } from "./connections.ts";

export interface UnreadAnswerOptions {
  readonly connections: Connections;
  /** How long an answer may wait without any of it being taken. */
  readonly maxStallMs: number;
}

/** How far an answer had got when it was last seen to move. */
interface Progress {
  readonly bytesWritten: number;
  readonly bytesWaiting: number;
  readonly movedAt: number;
}

const CHECKS_PER_STALL = 6;

/**
 * Cuts off connections whose client has stopped reading its answer, since what waits for it is held in memory. A download
 * over a slow line may take as long as it needs while it moves. WebSockets have rules of their own.
 */
export function endUnreadAnswers({ connections, maxStallMs }: UnreadAnswerOptions): Closable {
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
      progress.set(connection, { bytesWritten, bytesWaiting, movedAt: now });
      return;
    }
    if (now - last.movedAt >= maxStallMs) socket.destroy();
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
