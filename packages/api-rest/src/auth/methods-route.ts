import type { SignInProvider } from "@workspace/core";
import { sendResult } from "./auth-library.ts";
import type { AuthRoute } from "./auth-steps.ts";

export interface MethodsRouteOptions {
  /** Null if there is none. */
  readonly provider: Pick<SignInProvider, "name"> | null;
  readonly isSignUpOpen: boolean;
  /** Whether whoever has forgotten their password gets a mail with which they set another. */
  readonly canSendMail: boolean;
}

/** In what ways people sign in here, for the pages of whoever has not. */
export function createMethodsRoute({ provider, isSignUpOpen, canSendMail }: MethodsRouteOptions): AuthRoute {
  const methods = {
    provider: provider === null ? null : { name: provider.name },
    isSignUpOpen,
    canResetPassword: canSendMail,
  };
  return { method: "GET", handle: async (_req, res) => sendResult(res, methods) };
}
