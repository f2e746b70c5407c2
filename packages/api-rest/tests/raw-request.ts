import { connect } from "node:net";

export interface RawRequest {
  readonly method: string;
  /** The request target, sent exactly as it is: `fetch` would normalise it. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface RawResponse {
  /** 0 if the server closed the connection without a response. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends one request whose target is not modified by any client; each character of the string is one byte. */
export async function sendRaw(url: string, { method, target, headers = {}, body }: RawRequest): Promise<RawResponse> {
  const { hostname, port, host } = new URL(url);
  const payload = body === undefined ? "" : JSON.stringify(body);
  const lines = Object.entries({
    Host: host,
    Connection: "close",
    ...(body !== undefined && {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(payload)),
    }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  // Looking the name up takes longer than the request, since no connection is used twice.
  const socket = connect({ host: hostname === "localhost" ? "127.0.0.1" : hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A server that refuses a request early may close the connection while the rest of it is being sent.
  socket.on("error", () => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.write(Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"));
  socket.write(payload);
  await closed;
  return parseResponse(Buffer.concat(chunks).toString());
}

function parseResponse(response: string): RawResponse {
  const [head = "", ...rest] = response.split("\r\n\r\n");
  const [statusLine = "", ...headerLines] = head.split("\r\n");
  const headers = headerLines.map((line): [string, string] => {
    const separator = line.indexOf(":");
    return [line.slice(0, separator), line.slice(separator + 1).trim()];
  });
  return { status: Number(statusLine.split(" ")[1] ?? 0), headers: new Headers(headers), text: rest.join("\r\n\r\n") };
}
