import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A TCP connection over which a test can send any bytes, including those that no HTTP client would send. */
export interface RawConnection {
  readonly socket: Socket;
  write(bytes: string | Uint8Array): void;
  /** Resolves with what was received up to the first occurrence of `end`. */
  waitFor(end: string): Promise<string>;
  /** Resolves with all that was received once the server has closed the connection. */
  untilClosed(): Promise<string>;
  close(): void;
}

export async function openRawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => (received += text));
  // A connection that the server resets also counts as closed.
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "connect");
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    async waitFor(end) {
      while (!received.includes(end)) {
        if (socket.closed) throw new Error(`The connection was closed after: ${received}`);
        await Promise.race([once(socket, "data"), closed]);
      }
      return received.slice(0, received.indexOf(end) + end.length);
    },
    async untilClosed() {
      await closed;
      return received;
    },
    close: () => void socket.destroy(),
  };
}

/** Sends one request with exactly these lines as its head, and returns everything that is received. */
export async function sendRaw(url: string, lines: readonly string[], body = ""): Promise<string> {
  const connection = await openRawConnection(url);
  connection.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
  return connection.untilClosed();
}

export function statusOf(response: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);
}

export function bodyOf(response: string): string {
  return response.slice(response.indexOf("\r\n\r\n") + 4);
}
