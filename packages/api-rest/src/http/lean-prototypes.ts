import { createServer, IncomingMessage, ServerResponse, type Server } from "node:http";
import type { Express } from "express";

/** A body may take as long as it needs; `slow-bodies.ts` defines how fast it must arrive. */
const TIMEOUTS = {
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
};

/**
 * Creates the HTTP server of an Express app with request and response objects that are created with the app's prototypes.
 * Otherwise, Express changes the prototype of each of them, which is most of its cost per request. Such an app must not mount
 * other apps (routers are fine), which would change the prototypes again.
 */
export function createLeanServer(app: Express): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return createServer({ ...TIMEOUTS, IncomingMessage: AppRequest, ServerResponse: AppResponse }, app);
}
