import { randomUUID } from "node:crypto";
import { createExpressMiddleware } from "@trpc/server/adapters/express";
import {
  appRouter,
  NotFoundError,
  toPublicError,
  UnauthenticatedError,
  type Context,
  type Logger,
  type Services,
} from "@workspace/core";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import type { Authenticator } from "./auth/authenticator.ts";
import { assertSameOrigin, type OriginPolicy } from "./auth/origin-check.ts";
import { isOpenPath } from "./auth/open-paths.ts";
import { pageSecurityHeaders, securityHeaders } from "./http/security-headers.ts";
import { createRestAdapter } from "./rest/adapter.ts";
import { sendError, sendJson } from "./rest/error-response.ts";
import type { JsonBodyReader } from "./rest/json-body.ts";

export interface AppOptions {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly originPolicy: OriginPolicy;
  readonly health: RequestHandler;
  readonly authRoutes: RequestHandler;
  readonly dashboard: RequestHandler;
  readonly openApiDocument: object;
  readonly readBody: { readonly ordinary: JsonBodyReader; readonly content: JsonBodyReader };
  readonly logger: Logger;
}

/** The HTTP application: every request goes through these lines, from top to bottom. */
export function createApp(options: AppOptions): Express {
  const { services, authenticator, originPolicy, readBody, logger } = options;

  const authenticate = async (req: Request, res: Response): Promise<Context> => {
    const principal = await authenticator.authenticate(req, res);
    if (principal === null && !isOpenPath(`/api${req.path}`))
      throw new UnauthenticatedError("Sign in, or send an API token.");
    return { principal, services };
  };
  const onServerError = (error: unknown, req: Request) =>
    logger.error(
      { err: error, requestId: req.res?.getHeader("X-Request-Id"), method: req.method, path: req.path },
      "request failed",
    );

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");

  app.use(assignRequestId);
  app.use(securityHeaders);
  app.use("/api", (req, _res, next) => {
    assertSameOrigin(req.method, req.headers, originPolicy);
    next();
  });
  app.get("/api/health", options.health);
  app.use("/api/auth", options.authRoutes);
  app.use("/api/trpc", readBodyBefore(readBody.content), createTrpcHandler(authenticator, services, onServerError));
  app.use("/api", createRestAdapter({ router: appRouter, createContext: authenticate, readBody, onServerError }));
  app.get("/openapi.json", (_req, res) => sendJson(res, 200, options.openApiDocument));
  app.use(pageSecurityHeaders, options.dashboard);
  app.use(() => {
    throw new NotFoundError("There is nothing at this address.");
  });
  app.use(handleErrors(onServerError));
  return app;
}

const assignRequestId: RequestHandler = (_req, res, next) => {
  res.setHeader("X-Request-Id", randomUUID());
  next();
};

/** Typed internal clients; the same procedures and the same validation as REST. */
function createTrpcHandler(
  authenticator: Authenticator,
  services: Services,
  onServerError: (error: unknown, req: Request) => void,
): RequestHandler {
  return createExpressMiddleware({
    router: appRouter,
    createContext: async ({ req, res }): Promise<Context> => ({
      principal: await authenticator.authenticate(req, res),
      services,
    }),
    onError: ({ error, req }) => {
      if (toPublicError(error).status >= 500) onServerError(error, req);
    },
  });
}

function readBodyBefore(readBody: JsonBodyReader): RequestHandler {
  return (req, res, next) => {
    readBody(req, res).then(
      () => next(),
      (error: unknown) => next(error),
    );
  };
}

/** For what failed outside the adapters: before a route was reached, or in reading a body. */
function handleErrors(onServerError: (error: unknown, req: Request) => void): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const publicError = toPublicError(error);
    if (publicError.status >= 500) onServerError(error, req);
    sendError(res, publicError);
  };
}
