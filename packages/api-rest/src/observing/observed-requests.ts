import type { IncomingMessage, ServerResponse } from "node:http";

const CALENDAR_FEED = /^\/feeds\//i;

/** A request whose response has been sent, or was given up. */
export interface ObservedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  /** As it was sent; the app changes that of the request. */
  readonly url: string;
  readonly durationMs: number;
}

export interface RequestObserver {
  /** Called when a request arrives. */
  readonly onStart?: () => void;
  /** Called once for each request, at its end. */
  readonly onEnd: (request: ObservedRequest) => void;
}

/** Serves a request. */
export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void;

/** Serves requests and calls observers at the start and the end of each. It is not a step of the app, which would cost as much again. */
export function observeRequests(serve: RequestListener, observers: readonly RequestObserver[]): RequestListener {
  if (observers.length === 0) return serve;
  return (req, res) => {
    const startedAt = performance.now();
    const { method = "", url = "" } = req;
    for (const { onStart } of observers) onStart?.();
    res.on("close", () => {
      const request = { req, res, method, url, durationMs: performance.now() - startedAt };
      for (const { onEnd } of observers) onEnd(request);
    });
    serve(req, res);
  };
}

/** The path of a URL without what only its readers should know: its query, and the secret of a calendar feed. */
export function loggedPathOf(url: string): string {
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  return CALENDAR_FEED.test(path) ? "/feeds/…" : path;
}
