import type { Socket } from "node:net";
import { sinceStartMs } from "../clock.ts";
import { HttpFormatError, type HttpResponse, parseHttpResponse } from "./http-response.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Everything together: connecting, sending, waiting, receiving. */
  readonly deadlineMs: number;
}

/** Never an exception: a server that is away is an ordinary thing here. */
export type HttpExchange =
  | { readonly kind: "answered"; readonly response: HttpResponse; readonly durationMs: number }
  | {
      readonly kind: "failed";
      /** `timeout`: the server may have got the request, and may still work on it. */
      readonly failure: "refused" | "timeout" | "broken";
      readonly message: string;
      /** The whole request had left this machine. */
      readonly wasSent: boolean;
    };

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/**
 * Sends one request over a connection of its own and reads the answer. Written on sockets, because loading Node's HTTP
 * client costs more than the whole exchange with a server on this machine.
 */
export async function exchange(request: HttpRequest): Promise<HttpExchange> {
  const startedAt = sinceStartMs();
  const [first, second] = addressesOf(request.url.hostname);
  const outcome = await exchangeWith(first, request, startedAt);
  const isRefused = outcome.kind === "failed" && outcome.failure === "refused";
  return isRefused && second !== undefined ? exchangeWith(second, request, startedAt) : outcome;
}

/** `localhost` is looked up nowhere: a look-up takes longer than the request. */
function addressesOf(hostname: string): readonly [string, string?] {
  if (hostname === "localhost") return ["127.0.0.1", "::1"];
  return [hostname.replace(/^\[|\]$/g, "")];
}

function exchangeWith(host: string, request: HttpRequest, startedAt: number): Promise<HttpExchange> {
  const deadlineMs = request.deadlineMs - (sinceStartMs() - startedAt);
  const connect = connector(request.url, host);
  return new Promise((resolve) => {
    const socket = connect();
    const received: Buffer[] = [];
    let size = 0;
    let wasSent = false;
    const finish = (result: HttpExchange): void => {
      clearTimeout(timer);
      socket.removeAllListeners();
      // An error after the end concerns nobody any more, but must not become an exception.
      socket.on("error", ignore);
      socket.destroy();
      resolve(result);
    };
    const fail = (failure: "refused" | "timeout" | "broken", message: string): void => {
      finish({ kind: "failed", failure, message, wasSent });
    };
    const read = (hasEnded: boolean): void => {
      try {
        const response = parseHttpResponse(Buffer.concat(received), hasEnded);
        if (response !== undefined) finish({ kind: "answered", response, durationMs: sinceStartMs() - startedAt });
      } catch (error) {
        fail("broken", error instanceof HttpFormatError ? error.message : String(error));
      }
    };
    const timer = setTimeout(
      () => fail("timeout", `no answer within ${Math.round(request.deadlineMs)} ms`),
      Math.max(1, deadlineMs),
    );
    socket.on("error", (error: NodeJS.ErrnoException) => {
      const isRefused = error.syscall === "connect" || error.syscall === "getaddrinfo";
      fail(isRefused ? "refused" : "broken", error.message);
    });
    socket.on("data", (chunk: Buffer) => {
      received.push(chunk);
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) fail("broken", "the server's answer is too large");
      else read(false);
    });
    socket.on("end", () => read(true));
    socket.on("close", () => fail("broken", "the server closed the connection"));
    socket.write(serialize(request), () => (wasSent = true));
  });
}

function ignore(): void {
  // Nothing is left to be done.
}

/** Only what the address needs is loaded: TLS costs more than all the rest. */
function connector(url: URL, host: string): () => Socket {
  if (url.protocol === "https:") {
    const tls = process.getBuiltinModule("node:tls");
    return () =>
      tls.connect({ host, port: Number(url.port || 443), servername: url.hostname, ALPNProtocols: ["http/1.1"] });
  }
  const net = process.getBuiltinModule("node:net");
  return () => net.connect({ host, port: Number(url.port || 80), noDelay: true });
}

function serialize({ method, url, headers, body = "" }: HttpRequest): Buffer {
  const content = Buffer.from(body, "utf8");
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "Connection: close",
    "Accept: application/json",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, "")}`),
    ...(method === "GET" ? [] : ["Content-Type: application/json", `Content-Length: ${content.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), content]);
}
