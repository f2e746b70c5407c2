import type { ConnectionOptions, TLSSocket } from "node:tls";
import { trustedCertificates } from "./extra-certificates.ts";

/** Receives the events of a connection; `onRefused` or `onEnd` is the last call. */
export interface ConnectionListener {
  onBytes(bytes: Buffer): void;
  /** Everything has left this machine. */
  onSent(): void;
  /** The connection could not be opened. */
  onRefused(message: string): void;
  /** The connection was closed; by a failure if there is a message. */
  onEnd(message?: string): void;
}

/** Connects to a host, sends, and listens. TLS is loaded only for a URL that needs it. */
export function connectAndSend(
  { protocol, hostname, port }: URL,
  host: string,
  bytes: Buffer,
  { onBytes, onSent, onRefused, onEnd }: ConnectionListener,
): () => void {
  const socket =
    protocol === "https:"
      ? connectSecurely({ host, port: Number(port || 443), servername: hostname, ALPNProtocols: ["http/1.1"] })
      : process.getBuiltinModule("node:net").connect({ host, port: Number(port || 80), noDelay: true });
  socket.on("error", ({ syscall, message }: NodeJS.ErrnoException) =>
    syscall === "connect" || syscall === "getaddrinfo" ? onRefused(message) : onEnd(message),
  );
  socket.on("data", onBytes);
  socket.on("end", () => onEnd());
  socket.on("close", () => onEnd());
  socket.write(bytes, () => onSent());
  return () => {
    socket.removeAllListeners();
    // An error after the end must not become an exception.
    socket.on("error", () => undefined);
    socket.destroy();
  };
}

function connectSecurely(options: ConnectionOptions): TLSSocket {
  const certificates = trustedCertificates();
  return process.getBuiltinModule("node:tls").connect({ ...options, ...(certificates && { ca: [...certificates] }) });
}
