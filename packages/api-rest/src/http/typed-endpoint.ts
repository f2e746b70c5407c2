import { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { appRouter, UnauthenticatedError, type Context, type Services } from "@workspace/core";
import type { Request as ExpressRequest, RequestHandler, Response as ExpressResponse } from "express";
import type { Authenticator } from "../auth/authenticator.ts";
import { sendMethodNotAllowed } from "../rest/error-response.ts";
import type { JsonAnswers } from "../rest/json-answers.ts";
import type { ErrorReporter } from "./report-error.ts";

export interface TypedEndpointOptions {
  readonly services: Services;
  readonly authenticator: Pick<Authenticator, "authenticate">;
  readonly answers: JsonAnswers;
  readonly reportError: ErrorReporter;
}

const METHODS = ["GET", "POST"];

/** A request whose body was read and parsed before. */
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
 * `/api/trpc`, for typed internal clients: the same procedures and the same validation as REST. The answer is complete
 * before it is sent, so that a large one can be compressed. Without credentials everything here is 401, procedures and methods
 * that do not exist included.
 */
export function createTypedEndpoint({
  services,
  authenticator,
  answers,
  reportError,
}: TypedEndpointOptions): RequestHandler {
  async function answer(req: ExpressRequest, res: ExpressResponse): Promise<void> {
    if (!METHODS.includes(req.method)) {
      if ((await authenticator.authenticate(req, res)) === null) throw noCredentials();
      return sendMethodNotAllowed(res, METHODS);
    }
    const response = await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: new ParsedRequest(req),
      router: appRouter,
      createContext: async (): Promise<Context> => {
        const principal = await authenticator.authenticate(req, res);
        // Thrown here, it is answered in the shape that typed clients know.
        if (principal === null) throw new TRPCError({ code: "UNAUTHORIZED", cause: noCredentials() });
        return { principal, services };
      },
      onError: ({ error }) => reportError(error, req),
    });
    // The library looks at the procedure and the form of the request before it asks who calls.
    const isRefusal = response.status > 200 && response.status < 500 && response.status !== 401;
    if (isRefusal && (await authenticator.authenticate(req, res)) === null) throw noCredentials();
    await answers.sendText(res, response.status, await response.text());
  }
  return (req, res, next) => {
    answer(req, res).catch(next);
  };
}

function noCredentials(): UnauthenticatedError {
  return new UnauthenticatedError("Sign in, or send an API token.");
}
