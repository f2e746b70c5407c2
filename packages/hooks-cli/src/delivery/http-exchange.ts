import { sinceStartMs } from "../clock.ts";
import { connectAndSend } from "../streams/connection.ts";
import { HttpFormatError, type HttpResponse, parseHttpResponse } from "./http-response.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The limit for everything together: connecting, sending, waiting and receiving. */
  readonly deadlineMs: number;
}

/** Never an exception: an unreachable server is a normal condition here. */
export type HttpExchange =
  | { readonly kind: "answered"; readonly response: HttpResponse; readonly durationMs: number }
  | {
      readonly kind: "failed";
      /** `timeout`: the server may have received the request, and may still be processing it. */
      readonly failure: "refused" | "timeout" | "broken";
      readonly message: string;
      /** Whether the whole request had left this machine. */
      readonly wasSent: boolean;
    };

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/**
 * Sends one request over a connection of its own and reads the response. Written on top of sockets, because loading Node's
 * HTTP client costs more than the entire exchange with a local server.
 */
export async function exchange(request: HttpRequest): Promise<HttpExchange> {
  const startedAt = sinceStartMs();
  const [first, second] = addressesOf(request.url.hostname);
  const outcome = await exchangeWith(first, request, startedAt);
  const isRefused = outcome.kind === "failed" && outcome.failure === "refused";
  return isRefused && second !== undefined ? exchangeWith(second, request, startedAt) : outcome;
}

/** `localhost` is not resolved: a lookup takes longer than the request. */
function addressesOf(hostname: string): readonly [string, string?] {
  if (hostname === "localhost") return ["127.0.0.1", "::1"];
  return [hostname.replace(/^\[|\]$/g, "")];
}

function exchangeWith(host: string, request: HttpRequest, startedAt: number): Promise<HttpExchange> {
  const deadlineMs = request.deadlineMs - (sinceStartMs() - startedAt);
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    let size = 0;
    let wasSent = false;
    // Nothing after the end matters any longer.
    const finish = (result: HttpExchange): void => {
      clearTimeout(timer);
      stop();
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
    const isLate = (): void => fail("timeout", `no response within ${Math.round(request.deadlineMs)} ms`);
    // What arrived while this process was busy is read first.
    const timer = setTimeout(() => setImmediate(isLate), Math.max(1, deadlineMs));
    const stop = connectAndSend(request.url, host, serialize(request), {
      onRefused: (message) => fail("refused", message),
      onSent: () => (wasSent = true),
      onBytes(bytes) {
        received.push(bytes);
        size += bytes.length;
        if (size > MAX_RESPONSE_BYTES) fail("broken", "the server's response is too large");
        else read(false);
      },
      onEnd(message) {
        if (message === undefined) read(true);
        fail("broken", message ?? "the server closed the connection");
      },
    });
  });
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
