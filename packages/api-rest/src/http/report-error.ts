import { isUnexpected, type Logger } from "@workspace/core";
import type { Request } from "express";
import type { WriteHealth } from "./write-health.ts";

/** Hears of every failed request, and logs what its client was not told. */
export type ErrorReporter = (error: unknown, req: Request) => void;

export function createErrorReporter(logger: Logger, writeHealth: Pick<WriteHealth, "note">): ErrorReporter {
  return (error, req) => {
    writeHealth.note(error);
    if (!isUnexpected(error)) return;
    const requestId = req.res?.getHeader("X-Request-Id");
    logger.error({ err: error, requestId, method: req.method, path: req.originalUrl }, "request failed");
  };
}
