import { createServer, IncomingMessage, ServerResponse, type Server } from "node:http";
import type { Express } from "express";
import type { RequestListener } from "../observing/observed-requests.ts";

/** A body may take as long as it needs; `slow-bodies.ts` defines how fast it must arrive. */
const TIMEOUTS = {
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
};
/** Has room for the longest query that the API accepts, 4,000 characters that take nine bytes each in a URL; longer is 431. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Creates the HTTP server of an Express app with request and response objects that are created with the app's prototypes.
 * Otherwise, Express changes the prototype of each of them, which is most of its cost per request. Such an app must not mount
 * other apps (routers are fine), which would change the prototypes again. `observe` returns what serves requests in the place of the app.
 */
export function createLeanServer(app: Express, observe: (serve: RequestListener) => RequestListener): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  const classes = { IncomingMessage: AppRequest, ServerResponse: AppResponse };
  return createServer({ ...TIMEOUTS, maxHeaderSize: MAX_HEADER_BYTES, ...classes }, observe(app));
}
