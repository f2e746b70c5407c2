import { type StopStream, exchangeByHandle } from "./stream-handle.ts";

/** What becomes of a connection; `onRefused` or `onEnd` is the last of it. */
export interface ConnectionListener {
  onBytes(bytes: Buffer): void;
  /** All has left this machine. */
  onSent(): void;
  /** There is no connection. */
  onRefused(message: string): void;
  /** It was closed; by a failure where there is a message. */
  onEnd(message?: string): void;
}

/** Connects to the host of an address, sends, and listens. Only what the address needs is loaded: TLS costs most. */
export function connectAndSend(url: URL, host: string, bytes: Buffer, listener: ConnectionListener): StopStream {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  return sendByHandle(url, host, port, bytes, listener) ?? sendBySocket(url, host, port, bytes, listener);
}

function sendByHandle(
  { protocol }: URL,
  host: string,
  port: number,
  bytes: Buffer,
  { onBytes, onSent, onRefused, onEnd }: ConnectionListener,
): StopStream | undefined {
  if (protocol === "https:") return undefined;
  const nameOf = (error: number): string => process.getBuiltinModule("node:util").getSystemErrorName(error);
  return exchangeByHandle(host, port, bytes, {
    onBytes,
    onSent,
    onRefused: (error) => onRefused(`connect ${nameOf(error)} ${host}:${port}`),
    onEnd: (error) => onEnd(error === undefined ? undefined : nameOf(error)),
  });
}

function sendBySocket(
  { protocol, hostname }: URL,
  host: string,
  port: number,
  bytes: Buffer,
  { onBytes, onSent, onRefused, onEnd }: ConnectionListener,
): StopStream {
  const socket =
    protocol === "https:"
      ? process.getBuiltinModule("node:tls").connect({ host, port, servername: hostname, ALPNProtocols: ["http/1.1"] })
      : process.getBuiltinModule("node:net").connect({ host, port, noDelay: true });
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
