import pino from "pino";
import { clientAddressOf } from "../auth/client-address.ts";
import { loggedPathOf, type RequestObserver } from "./observed-requests.ts";

/** Lines are written together, which costs less than writing each; a crash loses those of the last second. */
const BUFFERED_BYTES = 8 * 1024;
const FLUSH_EVERY_MS = 1_000;

export interface AccessLog extends RequestObserver {
  /** Writes what is buffered. */
  close(): void;
}

/**
 * Writes a line for each request to standard output, as JSON like all others. The lines are put together here, for which pino takes
 * 3 µs: a noticeable part of the shortest requests.
 */
export function createAccessLog({ trustsProxy }: { readonly trustsProxy: boolean }): AccessLog {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: BUFFERED_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
  });
  return {
    onEnd({ req, res, durationMs }) {
      const path = JSON.stringify(loggedPathOf(req.originalUrl));
      // Without a response, the client has hung up.
      const status = res.headersSent ? res.statusCode : null;
      const ms = Math.round(durationMs * 10) / 10;
      // Ids, methods and addresses have no characters that JSON escapes.
      destination.write(
        `{"level":30,"time":${Date.now()},"log":"access","requestId":"${String(res.getHeader("X-Request-Id"))}",` +
          `"method":"${req.method}","path":${path},"status":${status},"ms":${ms},` +
          `"address":"${clientAddressOf(req, trustsProxy)}"}\n`,
      );
    },
    close: () => destination.flushSync(),
  };
}
