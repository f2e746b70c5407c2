import type { OutgoingHttpHeaders } from "node:http";
import {
  capabilities,
  listOperations,
  NotFoundError,
  toPublicError,
  UnauthenticatedError,
  type Clock,
  type Context,
  type Services,
} from "@workspace/core";
import type { Db } from "@workspace/db";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import type { Authenticator } from "./auth/authenticator.ts";
import type { KeyAuthenticator } from "./auth/key-authenticator.ts";
import { isKeyPath } from "./auth/key-paths.ts";
import { assertSameOrigin, type OriginPolicy } from "./auth/origin-check.ts";
import type { PasswordAttempts } from "./auth/password-attempts.ts";
import { createCaldavDiscovery, createCaldavRoute } from "./caldav/caldav-route.ts";
import { createFeedRoute } from "./calendar-feeds/feed-route.ts";
import { createDescriptionRoutes, type ApiDescriptionLoaders } from "./docs-page/description-routes.ts";
import { basePathOf } from "./http/base-path.ts";
import { livenessRoute } from "./http/health.ts";
import type { HostCheck } from "./http/host-check.ts";
import type { LargeResponses } from "./http/large-responses.ts";
import { assertPlainTarget } from "./http/plain-target.ts";
import type { ErrorReporter } from "./http/report-error.ts";
import { holdUntilLogged } from "./http/logged-changes.ts";
import { originOf } from "./http/request-origin.ts";
import { createHooksPackageRoute } from "./http/hooks-package-route.ts";
import { readsOnly } from "./http/reads-only.ts";
import { pageSecurityHeaders, setHeaders } from "./http/security-headers.ts";
import { createTypedBodyReader } from "./http/typed-body.ts";
import { createTypedEndpoint } from "./http/typed-endpoint.ts";
import { createMcpRoute } from "./mcp/mcp-route.ts";
import { describeOAuth } from "./oauth/oauth-metadata.ts";
import { createOAuthRoutes } from "./oauth/oauth-routes.ts";
import type { Observing } from "./observing/observing.ts";
import { assignRequestId } from "./observing/request-id.ts";
import { createRestAdapter } from "./rest/adapter.ts";
import type { JsonResponses } from "./rest/json-responses.ts";
import { sendError, toApiErrorBody } from "./rest/error-response.ts";
import type { JsonBodyReader } from "./rest/json-body.ts";
import { assertDecodableQuery } from "./rest/percent-encoding.ts";
import { assertNoParameters } from "./rest/query-coercion.ts";
import { createExportRoute } from "./export/export-route.ts";
import { createNoteImportRoute, type NoteImportRouteOptions } from "./vault-routes/note-import-route.ts";
import { createRawFileRoutes } from "./vault-routes/raw-file-routes.ts";
import { setRobotsTag } from "./vault-routes/robots-tag.ts";
import type { PageRenderer } from "./vault-routes/page-renderer.ts";
import { createShareRoutes } from "./vault-routes/share-routes.ts";
import { createKeyLimit } from "./v1/key-limit.ts";
import { createV1Routes, toV1ErrorBody } from "./v1/v1-routes.ts";

export interface AppOptions {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly keyAuthenticator: KeyAuthenticator;
  readonly originPolicy: OriginPolicy;
  readonly checkHost: HostCheck;
  /** Sent with every response. */
  readonly responseHeaders: Readonly<OutgoingHttpHeaders>;
  readonly health: RequestHandler;
  readonly readiness: RequestHandler;
  readonly authRoutes: RequestHandler;
  readonly dashboard: RequestHandler;
  readonly loadApiDescription: ApiDescriptionLoaders;
  readonly version: string;
  /** The hooks CLI as a package of npm. */
  readonly hooksPackagePath: string;
  /** Loads the Python script that `/api/v1/skill` serves. */
  readonly loadSkill: () => Promise<string>;
  /** Accounts for the large responses that clients have not read yet. */
  readonly largeResponses: LargeResponses;
  readonly responses: JsonResponses;
  readonly readBody: { readonly ordinary: JsonBodyReader; readonly content: JsonBodyReader };
  readonly reportError: ErrorReporter;
  /** Serves the metrics, if that is configured. */
  readonly observing: Pick<Observing, "metricsRoute">;
  /** Renders the pages of shared documents. */
  readonly renderer: PageRenderer;
  /** Converts a page that Notion has exported as HTML to Markdown. */
  readonly convertHtml: NoteImportRouteOptions["convertHtml"];
  /** Where archives are stored while they are imported. */
  readonly importDir: string;
  readonly db: Db;
  readonly clock: Clock;
  readonly trustsProxy: boolean;
  /** How many requests each API key can make in a minute; null for any number. */
  readonly keyRequestsPerMinute: number | null;
  /** The limits on guessing passwords. */
  readonly tryPassword: PasswordAttempts;
  /** The URL of the dashboard. */
  readonly baseUrl: string;
}

/** Identifies the principal of a request. Throws if the route requires one and there is none. */
type Authenticate = (
  req: Request,
  res: Response,
  /** What the route that was found declares: whether it is open to anyone, and whether it accepts bearer keys. */
  address: { readonly isOpen: boolean; readonly takesKey: boolean },
) => Promise<Context<Services>>;

/** The HTTP application: every request passes through these lines from top to bottom. */
export function createApp(options: AppOptions): Express {
  const { services, authenticator, keyAuthenticator, originPolicy, responses, readBody, reportError } = options;
  const operations = listOperations(capabilities, "api");
  const limitKey = createKeyLimit(options.keyRequestsPerMinute, options.clock);
  const basePath = basePathOf(options.baseUrl);

  const authenticate: Authenticate = async (req, res, { isOpen, takesKey }) => {
    const user = await authenticator.authenticate(req, res);
    const principal = user === null && takesKey ? await keyAuthenticator.authenticate(req) : user;
    if (principal === null && !isOpen) throw new UnauthenticatedError("Sign in, or send an API token.");
    return { principal, origin: originOf(req, "http"), services };
  };
  const authenticateUser = (req: Request, res: Response) => authenticate(req, res, { isOpen: false, takesKey: false });
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");

  app.use(assignRequestId);
  app.use(setHeaders(options.responseHeaders));
  app.use((req, _res, next) => {
    assertPlainTarget(req.url);
    options.checkHost(req);
    next();
  });
  app.use(holdUntilLogged(services));
  app.use("/api", (req, _res, next) => {
    assertSameOrigin(req.method, req.headers, originPolicy);
    assertDecodableQuery(req.url);
    next();
  });
  if (basePath !== "") app.use(redirectFromBasePath(basePath));
  app.all("/api/health", readsOnly, refuseParameters, options.health);
  app.all("/livez", readsOnly, livenessRoute);
  app.all("/readyz", readsOnly, options.readiness);
  if (options.observing.metricsRoute !== null) app.all("/metrics", readsOnly, options.observing.metricsRoute);
  app.all("/api/fs/raw", createRawFileRoutes({ vault: services.vault, authenticate: authenticateUser }));
  app.all(
    "/api/notes/import",
    createNoteImportRoute({
      noteImport: services.noteImport,
      convertHtml: options.convertHtml,
      authenticate: authenticateUser,
      reportError,
      directory: options.importDir,
    }),
  );
  app.all("/api/export", createExportRoute({ ...options, authenticate: authenticateUser }));
  app.use("/api/auth", options.authRoutes);
  app.use("/api/v1", createV1Routes({ ...options, limitKey }));
  app.use(
    "/api/trpc",
    createTypedBodyReader({ operations, authenticator, readBody }),
    createTypedEndpoint({ services, authenticator, responses, reportError }),
  );
  app.use(
    "/api",
    createRestAdapter({
      operations,
      createContext: (req, res, { path, isOpen }) => authenticate(req, res, { isOpen, takesKey: isKeyPath(path) }),
      responses,
      readBody,
      reportError,
      setHeaders: setRobotsTag,
    }),
  );
  const oauth = describeOAuth(options.baseUrl);
  app.use("/mcp", createMcpRoute({ ...options, limitKey, readBody: readBody.ordinary, reportError, oauth }));
  if (oauth !== null) app.use(createOAuthRoutes({ ...options, oauth: services.oauth, metadata: oauth }));
  // npm never fetches an address again, so there are others for those who want the present version.
  const hooksPackage = /^\/workspace-hooks(?:-[0-9a-z]{1,20})?\.tgz$/;
  app.all(hooksPackage, readsOnly, refuseParameters, createHooksPackageRoute(options.hooksPackagePath));
  app.use(createDescriptionRoutes({ ...options, basePath }));
  app.use("/share", createShareRoutes({ ...options, basePath, sharing: services.documentSharing }));
  app.use(createCaldavDiscovery(basePath));
  app.use("/caldav", createCaldavRoute({ ...options, basePath, calendarObjects: services.calendarObjects }));
  app.use("/feeds", createFeedRoute({ ...options, calendarFeeds: services.calendarFeeds }));
  app.use(readsOnly, pageSecurityHeaders, options.dashboard);
  app.use(() => {
    throw new NotFoundError("There is nothing at this URL.");
  });
  app.use(handleErrors(reportError));
  return app;
}

const refuseParameters: RequestHandler = (req, _res, next) => {
  assertNoParameters(req.url);
  next();
};

/** The base path without its last slash would be a page outside of the scope of the service worker. */
function redirectFromBasePath(basePath: string): RequestHandler {
  return (req, res, next) => {
    if (req.path === basePath && (req.method === "GET" || req.method === "HEAD"))
      res.redirect(308, `${basePath}/${req.url.slice(basePath.length)}`);
    else next();
  };
}

/** For failures outside the adapters: before a route was found, or while a body was read. */
function handleErrors(reportError: ErrorReporter): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    reportError(error, req);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    sendError(res, toPublicError(error), req.originalUrl.startsWith("/api/v1/") ? toV1ErrorBody : toApiErrorBody);
  };
}
