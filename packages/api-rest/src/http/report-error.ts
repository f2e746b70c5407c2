import { isUnexpected, type Logger } from "@workspace/core";
import type { Request } from "express";

/** Hears of every failed request, and logs what its client was not told. */
export type ErrorReporter = (error: unknown, req: Request) => void;

export function createErrorReporter(logger: Logger): ErrorReporter {
  return (error, req) => {
    if (!isUnexpected(error)) return;
    const requestId = req.res?.getHeader("X-Request-Id");
    logger.error({ err: error, requestId, method: req.method, path: req.originalUrl }, "request failed");
  };
}
