import type { Request, RequestHandler, Response } from "express";

/** A request whose response has been sent, or was given up. */
export interface ObservedRequest {
  readonly req: Request;
  readonly res: Response;
  readonly durationMs: number;
}

export interface RequestObserver {
  /** Called when a request arrives. */
  readonly onStart?: () => void;
  /** Called once for each request, at its end. */
  readonly onEnd: (request: ObservedRequest) => void;
}

/** Calls observers at the start and the end of every request. */
export function observeRequests(observers: readonly RequestObserver[]): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    for (const { onStart } of observers) onStart?.();
    res.once("close", () => {
      const request = { req, res, durationMs: performance.now() - startedAt };
      for (const { onEnd } of observers) onEnd(request);
    });
    next();
  };
}

/** The path of a URL without what only its readers should know: its query, and the secret of a calendar feed. */
export function loggedPathOf(url: string): string {
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  return path.replace(/^\/feeds\/.*/i, "/feeds/…");
}
