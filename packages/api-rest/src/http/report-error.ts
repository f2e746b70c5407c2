import { isUnexpected, type Logger } from "@workspace/core";
import type { Request } from "express";
import type { WriteHealth } from "./write-health.ts";

/** Called with every failed request; logs errors hidden from clients. */
export type ErrorReporter = (error: unknown, req: Request) => void;

/** The errors of writing to a connection that the other side has closed. */
const HANG_UP_CODES: ReadonlySet<unknown> = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"]);

export function createErrorReporter(logger: Logger, writeHealth: Pick<WriteHealth, "note">): ErrorReporter {
  return (error, req) => {
    writeHealth.note(error);
    if (!isUnexpected(error)) return;
    const requestId = req.res?.getHeader("X-Request-Id");
    const request = { requestId, method: req.method, path: withoutSecret(req.originalUrl) };
    // Clients may disconnect at any time; that is not a problem of the server.
    if (isHangUp(error, req)) logger.debug(request, "the client disconnected before the end of the response");
    else logger.error({ ...request, err: error }, "request failed");
  };
}

/** The URL of a calendar feed is all that its reader needs. */
function withoutSecret(url: string): string {
  return url.replace(/^\/feeds\/.*/i, "/feeds/…");
}

function isHangUp(error: unknown, { socket }: Request): boolean {
  return socket.destroyed && error instanceof Error && "code" in error && HANG_UP_CODES.has(error.code);
}
