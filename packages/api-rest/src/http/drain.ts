import type { Server, ServerResponse } from "node:http";
import { Server as TcpServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Connections } from "./connections.ts";

const CHECK_EVERY_MS = 20;
/** For how long to look for a moment without new connections. */
const QUIET_SEARCH_MS = 1_000;
/** A turn of the event loop that takes longer leaves time for a connection to arrive unnoticed. */
const QUIET_TURN_MS = 0.5;

/** How a server stops without failing requests. */
export interface Drain {
  /** Whether the server is about to stop, so that new requests should be sent to another one. */
  readonly hasBegun: boolean;
  /** From now on each response ends its connection, so that clients and proxies open their next one elsewhere. */
  begin(): void;
  /** Accepts no more connections. */
  stopListening(): Promise<void>;
  /** Gives requests in flight at most this time to finish, and closes the remaining connections. */
  finish(maxMs: number): Promise<void>;
}

/** For a server that need not be listening yet. */
export function createDrain(http: Server, connections: Connections): Drain {
  let hasBegun = false;

  return {
    get hasBegun() {
      return hasBegun;
    },

    begin() {
      hasBegun = true;
      // Before the app, which may send its response at once.
      http.prependListener("request", (_request, response) => endConnectionAfter(response));
      for (const { lastResponse } of connections.values())
        if (lastResponse !== undefined) endConnectionAfter(lastResponse);
    },

    async stopListening() {
      if (!http.listening) return;
      await untilQuiet(http);
      // Unlike that of an HTTP server, this leaves idle connections open: a request may be on its way over one.
      TcpServer.prototype.close.call(http);
    },

    async finish(maxMs) {
      const deadline = performance.now() + maxMs;
      while (connections.size > 0 && performance.now() < deadline) {
        http.closeIdleConnections();
        await sleep(CHECK_EVERY_MS);
      }
      if (connections.size > 0) http.closeAllConnections();
    },
  };
}

function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

/**
 * Resolves right after the event loop has found no connection waiting to be accepted: one that is waiting when a server stops
 * listening is reset, with the request that its client has sent already. Gives up after a second.
 */
async function untilQuiet(http: Server): Promise<void> {
  let accepted = 0;
  const count = (): void => void (accepted += 1);
  http.on("connection", count);
  const deadline = performance.now() + QUIET_SEARCH_MS;
  // From wherever in a turn this is called, so that each of those below includes a look at the network.
  await nextTurn();
  for (let now = performance.now(); now < deadline;) {
    const [acceptedBefore, startedAt] = [accepted, now];
    await nextTurn();
    now = performance.now();
    if (accepted === acceptedBefore && now - startedAt < QUIET_TURN_MS) break;
  }
  http.off("connection", count);
}
