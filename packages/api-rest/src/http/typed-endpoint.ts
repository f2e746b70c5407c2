import { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { appRouter, createLargeTexts, UnauthenticatedError, type Context, type Services } from "@workspace/core";
import type { Request as ExpressRequest, RequestHandler, Response as ExpressResponse } from "express";
import type { Authenticator } from "../auth/authenticator.ts";
import { sendMethodNotAllowed } from "../rest/error-response.ts";
import type { JsonResponses } from "../rest/json-responses.ts";
import { originOf } from "./request-origin.ts";
import type { ErrorReporter } from "./report-error.ts";

export interface TypedEndpointOptions {
  readonly services: Services;
  readonly authenticator: Pick<Authenticator, "authenticate">;
  readonly responses: JsonResponses;
  readonly reportError: ErrorReporter;
}

const METHODS = ["GET", "POST"];
/**
 * The sequence number of the last change that the response certainly includes. With it, a page whose WebSocket opens later than it
 * reads its data can ask for the changes between the two.
 */
const LAST_CHANGE_HEADER = "X-Last-Change";

/** A request whose body has already been read and parsed. */
class ParsedRequest extends Request {
  override readonly json: () => Promise<unknown>;

  constructor(req: ExpressRequest) {
    const headers = Object.entries(req.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    super(new URL(req.originalUrl, "http://localhost"), { method: req.method, headers });
    this.json = async () => req.body;
  }
}

/**
 * `/api/trpc`, for typed internal clients: the same procedures and the same validation as REST. The response is complete before
 * it is sent, so that a large one can be compressed. Without credentials, everything here is 401, including procedures and
 * methods that do not exist.
 */
export function createTypedEndpoint({
  services,
  authenticator,
  responses,
  reportError,
}: TypedEndpointOptions): RequestHandler {
  async function handle(req: ExpressRequest, res: ExpressResponse): Promise<void> {
    if (!METHODS.includes(req.method)) {
      if ((await authenticator.authenticate(req, res)) === null) throw noCredentials();
      return sendMethodNotAllowed(res, METHODS);
    }
    const largeTexts = createLargeTexts();
    // Read before the data is, so that no later change can be missing from both the response and the WebSocket.
    const { lastSeq } = services.changes;
    const response = await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: new ParsedRequest(req),
      router: appRouter,
      createContext: async (): Promise<Context<Services>> => {
        const principal = await authenticator.authenticate(req, res);
        // Thrown here, it is sent in the format that typed clients expect.
        if (principal === null) throw new TRPCError({ code: "UNAUTHORIZED", cause: noCredentials() });
        return { principal, origin: originOf(req, "http"), services, largeTexts };
      },
      onError: ({ error }) => reportError(error, req),
    });
    // The library checks the procedure and the format of the request before it creates the context.
    const isRefusal = response.status > 200 && response.status < 500 && response.status !== 401;
    if (isRefusal && (await authenticator.authenticate(req, res)) === null) throw noCredentials();
    res.setHeader(LAST_CHANGE_HEADER, lastSeq);
    await responses.sendFrame(res, response.status, await response.text(), largeTexts.texts);
  }
  return (req, res, next) => {
    handle(req, res).catch(next);
  };
}

function noCredentials(): UnauthenticatedError {
  return new UnauthenticatedError("Sign in, or send an API token.");
}
