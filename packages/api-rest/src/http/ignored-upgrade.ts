import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Connections } from "./connections.ts";

/** The headers that request an upgrade; `HTTP2-Settings` belongs to an upgrade to HTTP/2. */
const UPGRADE_HEADERS = new Set(["upgrade", "http2-settings"]);

/** A handler of a server's `upgrade` event. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, rest: Buffer) => void;

/** Whether a request asks for an upgrade to a WebSocket. */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Serves requests that ask for an upgrade as if they did not, which a server may always do. Once a server listens for upgrades,
 * Node hands over every such connection right after the head of the request and stops processing it. So the head is put back
 * in front of what follows, without the headers in question, and the connection is emitted to the server as a new one: bodies,
 * further requests and all checks then work as usual.
 */
export function createUpgradeIgnorer(server: Server, connections: Connections): UpgradeHandler {
  return (request, socket, rest) => {
    socket.unshift(Buffer.concat([Buffer.from(withoutUpgrade(request), "latin1"), rest]));
    // The server would interleave earlier and later responses.
    const pending = connections.get(socket)?.lastResponse;
    if (pending === undefined || pending.closed) server.emit("connection", socket);
    else reconnectAfter(pending, server, socket);
  };
}

function reconnectAfter(pending: ServerResponse, server: Server, socket: Duplex): void {
  const onError = (): void => void socket.destroy();
  socket.on("error", onError);
  pending.once("close", () => {
    if (!socket.writable) return;
    socket.off("error", onError);
    // The idle timeout has already been started.
    if (socket instanceof Socket) socket.setTimeout(server.timeout);
    server.emit("connection", socket);
  });
}

/** The head of a request, byte for byte as it was received, without the headers that ask for the upgrade. */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    const kept = name.toLowerCase() === "connection" ? withoutUpgradeOptions(value) : value;
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${kept}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function withoutUpgradeOptions(connection: string): string {
  return connection
    .split(",")
    .filter((option) => !UPGRADE_HEADERS.has(option.trim().toLowerCase()))
    .join(",");
}
