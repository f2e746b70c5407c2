import type { IncomingMessage } from "node:http";
import type { ChangeEvent, UserPrincipal } from "@workspace/core";
import type { WebSocket } from "ws";
import type { Authenticator } from "../auth/authenticator.ts";
import { encodeChange, type ChangeStream } from "./change-stream.ts";
import { CLOSE_CODES } from "./client-socket.ts";

/** How long clients may take to close once the server is closing. */
const CLOSE_GRACE_MS = 1_000;

export interface ConnectedClient {
  readonly socket: WebSocket;
  /** The request that was upgraded. */
  readonly request: IncomingMessage;
  readonly user: UserPrincipal;
  readonly changes: ChangeStream;
}

/** The clients that are connected to this process. */
export function createConnectedClients(authenticator: Pick<Authenticator, "authenticate">) {
  const clients = new Set<ConnectedClient>();
  /** Those that have not responded since the last check. */
  const silent = new Set<ConnectedClient>();

  return {
    get count(): number {
      return clients.size;
    },

    add(client: ConnectedClient): void {
      clients.add(client);
      client.socket.on("pong", () => silent.delete(client));
      client.socket.on("close", () => {
        clients.delete(client);
        silent.delete(client);
      });
    },

    sendChanges(changes: readonly ChangeEvent[]): void {
      const encoded = changes.map(encodeChange);
      for (const client of clients) client.changes.send(encoded);
    },

    sendGap(lastSeq: number): void {
      for (const client of clients) client.changes.sendGap(lastSeq);
    },

    /** Disconnects clients that did not respond to the last ping, and pings the others. */
    checkAlive(): void {
      for (const client of clients) {
        if (silent.has(client)) {
          client.socket.terminate();
        } else {
          silent.add(client);
          client.socket.ping();
        }
      }
    },

    /** Disconnects clients whose session has ended. Fails, with nobody disconnected, while the database is unavailable. */
    async checkSessions(): Promise<void> {
      for (const { socket, request, user } of clients) {
        const current = await authenticator.authenticate(request, null);
        if (current?.userId !== user.userId) socket.close(CLOSE_CODES.signedOut, "signed out");
      }
    },

    /** Closes all sockets, and terminates those whose clients do not respond in time. */
    async close(): Promise<void> {
      const closed = [...clients].map(({ socket }) => new Promise((resolve) => socket.once("close", resolve)));
      for (const { socket } of clients) socket.close(CLOSE_CODES.goingAway, "the server is stopping");
      const deadline = setTimeout(() => {
        for (const { socket } of clients) socket.terminate();
      }, CLOSE_GRACE_MS);
      await Promise.all(closed);
      clearTimeout(deadline);
    },
  };
}
