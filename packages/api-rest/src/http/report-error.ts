import { isUnexpected, type Logger } from "@workspace/core";
import type { Request } from "express";
import type { WriteHealth } from "./write-health.ts";

/** Hears of every failed request, and logs what its client was not told. */
export type ErrorReporter = (error: unknown, req: Request) => void;

/** What writing to a connection fails with once the other side has closed it. */
const HANG_UP_CODES: ReadonlySet<unknown> = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"]);

export function createErrorReporter(logger: Logger, writeHealth: Pick<WriteHealth, "note">): ErrorReporter {
  return (error, req) => {
    writeHealth.note(error);
    if (!isUnexpected(error)) return;
    const requestId = req.res?.getHeader("X-Request-Id");
    const request = { requestId, method: req.method, path: req.originalUrl };
    // Anyone can hang up as often as they like; nothing is wrong with the server then.
    if (isHangUp(error, req)) logger.debug(request, "the client hung up before the end of the answer");
    else logger.error({ ...request, err: error }, "request failed");
  };
}

function isHangUp(error: unknown, { socket }: Request): boolean {
  return socket.destroyed && error instanceof Error && "code" in error && HANG_UP_CODES.has(error.code);
}
