import { v1Operations } from "@workspace/api-v1";
import { UnauthenticatedError, type Context, type Services } from "@workspace/core";
import { Router, type Request, type RequestHandler, type Response } from "express";
import type { KeyAuthenticator } from "../auth/key-authenticator.ts";
import { originOf } from "../http/request-origin.ts";
import { createRestAdapter, type RestAdapterOptions } from "../rest/adapter.ts";
import type { ErrorWriter } from "../rest/error-response.ts";
import { createRepeats } from "../rest/repeats.ts";
import { createAskStream } from "./ask-stream.ts";
import type { KeyLimit } from "./key-limit.ts";
import { createSkillRoute } from "./skill-route.ts";

export interface V1RoutesOptions extends Pick<RestAdapterOptions, "responses" | "readBody" | "reportError"> {
  readonly services: Services;
  readonly keyAuthenticator: KeyAuthenticator;
  readonly limitKey: KeyLimit;
  /** Loads the skill script with the server's URL filled in. */
  readonly loadSkill: () => Promise<string>;
}

/** The contract's error shape for `/api/v1`. */
export const toV1ErrorBody: ErrorWriter = ({ message, issues }) => ({
  message,
  ...(issues !== undefined && { issues }),
});

/** Everything under `/api/v1`: for other programs, which authenticate with bearer keys only. */
export function createV1Routes(options: V1RoutesOptions): RequestHandler {
  const { services, keyAuthenticator, limitKey, loadSkill, responses, readBody, reportError } = options;
  const createContext = async (req: Request, res: Response): Promise<Context<Services>> => {
    const principal = await keyAuthenticator.authenticate(req);
    const idempotencyKey = req.get("Idempotency-Key");
    if (principal !== null) {
      limitKey(principal, res);
      const context = { principal, origin: originOf(req, "http"), services };
      return idempotencyKey === undefined ? context : { ...context, delivery: { idempotencyKey } };
    }
    res.setHeader("WWW-Authenticate", "Bearer");
    throw new UnauthenticatedError("Send a valid API key as a bearer token.");
  };
  const toErrorBody = toV1ErrorBody;
  const routes = Router();
  routes.use("/skill", createSkillRoute({ createContext, loadSkill, toErrorBody }));
  routes.post("/agents/ask", createAskStream({ createContext, readBody: readBody.ordinary, reportError, toErrorBody }));
  const repeats = createRepeats({ services, responses, toErrorBody });
  routes.use(
    createRestAdapter({
      operations: v1Operations,
      createContext,
      responses,
      readBody,
      reportError,
      toErrorBody,
      repeats,
    }),
  );
  return routes;
}
