import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressBlockOf } from "../auth/address-block.ts";

export interface ConnectionLimits {
  /** How many there may be in total, including WebSockets. */
  readonly max: number;
  /** How many of them may come from one address. */
  readonly maxPerAddress: number;
  /** Whether an address may use all of them: this machine itself, or any address if all clients come through one proxy. */
  readonly isExempt: (address: string) => boolean;
}

/** An open connection and its current response. */
export interface Connection {
  readonly socket: Socket;
  /** The response to the last request that arrived; may be undefined once both are complete. */
  lastResponse: ServerResponse | undefined;
}

/** The open connections of a server, by their socket. */
export type Connections = ReadonlyMap<Duplex, Connection>;

/** Tracks the connections of a server that is not listening yet. Connections beyond the limits are closed immediately. */
export function followConnections(server: Server, { max, maxPerAddress, isExempt }: ConnectionLimits): Connections {
  const open = new Map<Duplex, Connection>();
  const perAddress = new Map<string, number>();
  server.maxConnections = max;

  server.on("connection", (socket) => {
    // A connection whose upgrade was ignored is emitted a second time.
    if (open.has(socket)) return;
    const { remoteAddress = "unknown" } = socket;
    const block = addressBlockOf(remoteAddress);
    const count = (perAddress.get(block) ?? 0) + 1;
    if (count > maxPerAddress && !isExempt(remoteAddress)) {
      socket.destroy();
      return;
    }
    perAddress.set(block, count);
    open.set(socket, { socket, lastResponse: undefined });
    socket.once("close", () => {
      open.delete(socket);
      const left = (perAddress.get(block) ?? 1) - 1;
      if (left === 0) perAddress.delete(block);
      else perAddress.set(block, left);
    });
  });
  server.on("request", ({ socket }, response) => {
    const connection = open.get(socket);
    if (connection !== undefined) connection.lastResponse = response;
  });
  return open;
}
