import { createServer, IncomingMessage, ServerResponse, type Server } from "node:http";
import type { Express } from "express";

/**
 * Creates the HTTP server of an Express app with request and response objects that are born with the app's prototypes.
 * Express otherwise changes the prototype of each of them, which is most of its cost per request. An app made this way
 * must not mount other apps (routers are fine): those would change prototypes again.
 */
export function createLeanServer(app: Express): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return createServer({ IncomingMessage: AppRequest, ServerResponse: AppResponse, keepAliveTimeout: 65_000 }, app);
}
