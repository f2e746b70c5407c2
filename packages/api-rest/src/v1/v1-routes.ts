import { v1Router } from "@workspace/api-v1";
import { UnauthenticatedError, type Context, type Services } from "@workspace/core";
import { Router, type Request, type RequestHandler, type Response } from "express";
import type { KeyAuthenticator } from "../auth/key-authenticator.ts";
import { createRestAdapter, type RestAdapterOptions } from "../rest/adapter.ts";
import type { ErrorWriter } from "../rest/error-response.ts";
import { createAskStream } from "./ask-stream.ts";
import { createSkillRoute } from "./skill-route.ts";

export interface V1RoutesOptions extends Pick<RestAdapterOptions, "answers" | "readBody" | "reportError"> {
  readonly services: Services;
  readonly keyAuthenticator: KeyAuthenticator;
  /** The skill script as it is handed out. */
  readonly loadSkill: () => Promise<string>;
}

/** The contract's error shape for `/api/v1`. */
export const toV1ErrorBody: ErrorWriter = ({ message, issues }) => ({
  message,
  ...(issues !== undefined && { issues }),
});

/** Everything under `/api/v1`: for other programs, by bearer key alone. */
export function createV1Routes(options: V1RoutesOptions): RequestHandler {
  const { services, keyAuthenticator, loadSkill, answers, readBody, reportError } = options;
  const createContext = async (req: Request, res: Response): Promise<Context> => {
    const principal = await keyAuthenticator.authenticate(req);
    const idempotencyKey = req.get("Idempotency-Key");
    if (principal !== null) {
      return idempotencyKey === undefined
        ? { principal, services }
        : { principal, services, delivery: { idempotencyKey } };
    }
    res.setHeader("WWW-Authenticate", "Bearer");
    throw new UnauthenticatedError("Send a valid API key as a bearer token.");
  };
  const toErrorBody = toV1ErrorBody;
  const routes = Router();
  routes.use("/skill", createSkillRoute({ createContext, loadSkill, toErrorBody }));
  routes.post("/agents/ask", createAskStream({ createContext, readBody: readBody.ordinary, reportError, toErrorBody }));
  routes.use(createRestAdapter({ router: v1Router, createContext, answers, readBody, reportError, toErrorBody }));
  return routes;
}
