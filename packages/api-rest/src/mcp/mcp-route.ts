import { ForbiddenError, InvalidInputError, toPublicError, UnauthenticatedError, type Services } from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import type { KeyAuthenticator } from "../auth/key-authenticator.ts";
import { isFromOwnPage, type OriginPolicy } from "../auth/origin-check.ts";
import type { OAuthMetadata } from "../oauth/oauth-metadata.ts";
import { sendError, sendMethodNotAllowed } from "../rest/error-response.ts";
import type { JsonBodyReader } from "../rest/json-body.ts";
import type { KeyLimit } from "../v1/key-limit.ts";
import { toV1ErrorBody } from "../v1/v1-routes.ts";
import type { McpHandler } from "./mcp-server.ts";

/** They are carried out at once, and their responses are sent together. */
const MAX_BATCH = 20;

export interface McpRouteOptions {
  readonly services: Services;
  readonly version: string;
  readonly keyAuthenticator: KeyAuthenticator;
  readonly limitKey: KeyLimit;
  readonly originPolicy: OriginPolicy;
  readonly readBody: JsonBodyReader;
  /** How programs ask for access by browser; null if they cannot. */
  readonly oauth: Pick<OAuthMetadata, "resourceMetadataUrl"> | null;
  readonly reportError: (error: unknown, req: Request) => void;
}

/**
 * `/mcp`, for assistants with a bearer key. The protocol library is loaded on the first authenticated request, because it takes
 * more memory than most of the rest of the server, and many users never need it.
 */
export function createMcpRoute(options: McpRouteOptions): RequestHandler {
  const { keyAuthenticator, limitKey, originPolicy, readBody, oauth, reportError } = options;
  let handler: Promise<McpHandler> | undefined;
  const loadHandler = async (): Promise<McpHandler> => (await import("./mcp-server.ts")).createMcpHandler(options);

  async function handle(req: Request, res: Response): Promise<void> {
    // Reads by other sites' pages are refused as well, so that DNS rebinding reveals nothing.
    if (!isFromOwnPage(req.headers, originPolicy)) {
      throw new ForbiddenError("Requests from pages of other sites are refused.");
    }
    const principal = await keyAuthenticator.authenticate(req);
    if (principal === null) {
      res.setHeader("WWW-Authenticate", challengeFor(req, oauth));
      throw new UnauthenticatedError("Send a valid API key as a bearer token.");
    }
    limitKey(principal, res);
    if (req.method !== "POST") {
      sendMethodNotAllowed(res, ["POST"], toV1ErrorBody);
      return;
    }
    const body = await readBody(req, res);
    if (Array.isArray(body) && body.length > 1) {
      if (body.length > MAX_BATCH) throw new InvalidInputError(`Send at most ${MAX_BATCH} requests in a batch.`);
      limitKey(principal, res, body.length - 1);
    }
    const handleCall = await (handler ??= loadHandler());
    await handleCall(req, res, principal, body);
  }

  return (req, res) => {
    void handle(req, res).catch((error: unknown) => {
      const publicError = toPublicError(error);
      reportError(error, req);
      if (res.headersSent) res.destroy();
      else sendError(res, publicError, toV1ErrorBody);
    });
  };
}

/** Says where to ask for access, and whether what was sent is no longer valid (RFC 6750, RFC 9728). */
function challengeFor(req: Request, oauth: McpRouteOptions["oauth"]): string {
  const isRefused = req.headers.authorization !== undefined;
  const parameters = [
    ...(oauth === null ? [] : [`resource_metadata="${oauth.resourceMetadataUrl}"`]),
    ...(isRefused ? ['error="invalid_token"'] : []),
  ];
  return ["Bearer", parameters.join(", ")].join(" ").trim();
}
