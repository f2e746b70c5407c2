import type { OAuthServerProvider } from "@modelcontextprotocol/sdk/server/auth/provider.js";
import { ForbiddenError, isLoopbackHost, MAX_NEXT_LENGTH, type Clock, type OAuthService } from "@workspace/core";
import express, {
  type ErrorRequestHandler,
  type Request,
  type NextFunction,
  type RequestHandler,
  type Response,
  type Router,
} from "express";
import * as z from "zod";
import { addressBlockOf } from "../auth/address-block.ts";
import { createAttemptLimiter } from "../auth/attempt-limiter.ts";
import { refuseIfLimited } from "../auth/auth-steps.ts";
import { clientAddressOf, isLoopback } from "../auth/client-address.ts";
import { isFromOwnPage, type OriginPolicy } from "../auth/origin-check.ts";
import { readsOnly } from "../http/reads-only.ts";
import type { JsonResponses } from "../rest/json-responses.ts";
import { completeErrorUrl, describeError } from "./error-parameters.ts";
import type { OAuthMetadata } from "./oauth-metadata.ts";

const REQUESTS_PER_ADDRESS = { max: 60, windowMs: 60_000 };
const REGISTRATIONS_PER_ADDRESS = { max: 20, windowMs: 60 * 60_000 };
/** The page on which the user decides is also continued at after signing in elsewhere. */
const isContinuable = (path: string) => encodeURIComponent(path).length <= MAX_NEXT_LENGTH;

/** Longer URLs do not fit into the headers that clients and proxies accept. */
const MAX_LOCATION_LENGTH = 8_000;

export interface OAuthRoutesOptions {
  readonly oauth: OAuthService;
  readonly metadata: OAuthMetadata;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly responses: JsonResponses;
  readonly trustsProxy: boolean;
  readonly originPolicy: OriginPolicy;
  readonly reportError: (error: unknown, req: Request) => void;
}

/** The documents in which a program reads how to ask for access, and `/oauth`, where it does. */
export function createOAuthRoutes(options: OAuthRoutesOptions): Router {
  const router = express.Router();
  for (const [path, document] of options.metadata.documents)
    router.all(path, readsOnly, async (_req, res) => options.responses.send(res, 200, document));
  return router.use("/oauth", createEndpoints(options));
}

/**
 * How a program that speaks MCP asks a user for access by browser (OAuth 2.1 with PKCE, RFC 7591, RFC 7009). The protocol is
 * that of its official library, which is loaded when it is first needed; what is stored and decided is ours.
 */
function createEndpoints(options: OAuthRoutesOptions): Router {
  const { oauth, metadata, baseUrl, clock, trustsProxy, originPolicy, reportError } = options;
  const tryRequest = createAttemptLimiter(REQUESTS_PER_ADDRESS, clock);
  const tryRegistration = createAttemptLimiter(REGISTRATIONS_PER_ADDRESS, clock);

  const limited =
    (tryAttempt: typeof tryRequest): RequestHandler =>
    (req, res, next) => {
      const address = clientAddressOf(req, trustsProxy);
      if (isLoopback(address) || !refuseIfLimited(res, tryAttempt(addressBlockOf(address)))) next();
    };

  const router = express.Router();
  router.use(limited(tryRequest));
  router.use("/authorize", (req, res, next) => {
    keepHere(req, res);
    void refuseUnknownClient(req, res, next).catch(next);
  });
  // The pages of other sites have no business here. Browsers are only sent to `/authorize`.
  router.use(["/token", "/register", "/revoke"], (req, _res, next) => {
    if (!isFromOwnPage(req.headers, originPolicy))
      throw new ForbiddenError("Requests from pages of other sites are refused.");
    next();
  });
  router.use("/register", limited(tryRegistration), express.json(), (req, _res, next) => {
    req.body = whatIsUsed(req.body);
    next();
  });
  router.use(["/token", "/register", "/revoke"], (_req, res, next) => {
    describeErrors(res);
    next();
  });
  router.use((req, res, next) => {
    void handle(req, res, next).catch(next);
  });
  router.use(refuseUnreadableBody);
  return router;

  /** On a page, since it is a person who sees it: the library would respond with an error for programs. */
  async function refuseUnknownClient(req: Request, res: Response, next: NextFunction): Promise<void> {
    const id = req.query["client_id"];
    if (typeof id === "string" && (await oauth.findClient(id)) === null)
      res.redirect(302, pageUrl("problem", id.startsWith("https://") ? "client_document" : "client"));
    else next();
  }

  /**
   * Anyone may register any URL, so a link to this server must not lead there before the user has decided (RFC 9700, 4.11.2). The
   * library redirects with an error at once: that remains for programs on the user's own machine, others get a page. So do requests
   * for which it knows no URL at all.
   */
  function keepHere(req: Request, res: Response): void {
    const redirect = res.redirect.bind(res);
    const json = res.json.bind(res);
    const params = (): Record<string, unknown> => (req.method === "POST" ? req.body : req.query) ?? {};
    const refuse = (problem: string) => redirect(302, pageUrl("problem", problem));
    Object.assign(res, {
      redirect(status: number, location: string) {
        if (location.startsWith(`${baseUrl}/authorize?`)) {
          if (isContinuable(location.slice(baseUrl.length))) redirect(status, location);
          else refuse("invalid_request");
          return;
        }
        const url = completeErrorUrl(location, params(), baseUrl);
        const { hostname, searchParams } = new URL(url);
        if (isLoopbackHost(hostname) && url.length <= MAX_LOCATION_LENGTH) redirect(status, url);
        else refuse(searchParams.get("error") ?? "invalid_request");
      },
      json(body: unknown) {
        if (res.statusCode !== 400) return json(body);
        const { client_id: clientId, redirect_uri: uri } = params();
        refuse(typeof clientId !== "string" || uri === undefined ? "invalid_request" : "redirect_uri");
        return res;
      },
    });
  }

  async function handle(req: Request, res: Response, next: NextFunction): Promise<void> {
    const { handlers, createProvider } = await loadLibrary();
    const createHandler = handlers.get(req.path);
    if (createHandler === undefined) return next();
    const provider = createProvider({
      oauth,
      ...metadata,
      issuer: baseUrl,
      decisionUrl: (request) => pageUrl("request", request),
      report: (error) => reportError(error, req),
    });
    // As if it were mounted there.
    req.url = `/${req.url.slice(req.path.length)}`;
    await createHandler(provider)(req, res, next);
  }

  function pageUrl(name: "request" | "problem", value: string): string {
    return `${baseUrl}/authorize?${new URLSearchParams({ [name]: value }).toString()}`;
  }
}

/** Of a registration, what is used: other metadata is to be ignored, whatever it is (RFC 7591, 2). No name may be written as null. */
function whatIsUsed(registration: unknown) {
  const { client_name: name, redirect_uris } = z.record(z.string(), z.unknown()).catch({}).parse(registration);
  return { client_name: name ?? undefined, redirect_uris };
}

/** Has the errors of the library say in a sentence what is wrong. */
function describeErrors(res: Response): void {
  const json = res.json.bind(res);
  const isDescribed = (body: unknown): body is { error_description: string } =>
    typeof body === "object" &&
    body !== null &&
    "error_description" in body &&
    typeof body.error_description === "string";
  res.json = (body: unknown) =>
    json(isDescribed(body) ? { ...body, error_description: describeError(body.error_description) } : body);
}

/** The library's handlers, by path, without its own limits, which do not know which proxies are trusted. */
async function loadLibrary() {
  const [{ authorizationHandler }, { tokenHandler }, { clientRegistrationHandler }, { revocationHandler }, own] =
    await Promise.all([
      import("@modelcontextprotocol/sdk/server/auth/handlers/authorize.js"),
      import("@modelcontextprotocol/sdk/server/auth/handlers/token.js"),
      import("@modelcontextprotocol/sdk/server/auth/handlers/register.js"),
      import("@modelcontextprotocol/sdk/server/auth/handlers/revoke.js"),
      import("./oauth-provider.ts"),
    ]);
  const rateLimit = false;
  return {
    createProvider: own.createOAuthProvider,
    handlers: new Map<string, (provider: OAuthServerProvider) => RequestHandler>([
      ["/authorize", (provider) => authorizationHandler({ provider, rateLimit })],
      ["/token", (provider) => tokenHandler({ provider, rateLimit })],
      [
        "/register",
        ({ clientsStore }) => clientRegistrationHandler({ clientsStore, rateLimit, clientIdGeneration: false }),
      ],
      ["/revoke", (provider) => revocationHandler({ provider, rateLimit })],
    ]),
  };
}

/** A body that is too large, or is neither JSON nor a form, in the protocol's format. */
const refuseUnreadableBody: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  if (typeof status !== "number" || status < 400 || status >= 500 || error instanceof ForbiddenError)
    return next(error);
  res.status(status).json({ error: "invalid_request", error_description: "The body cannot be read." });
};
