import { ForbiddenError, UnauthenticatedError } from "../errors.ts";
import type { ApiKeyScope } from "../resources.ts";
import type { ApiKeyPrincipal, Principal, SignedInUser, UserPrincipal } from "./principal.ts";

/** Throws {@link UnauthenticatedError} without credentials, {@link ForbiddenError} for a key. */
export function requireUser(principal: Principal | null): UserPrincipal {
  if (principal === null) throw new UnauthenticatedError("Sign in, or send an API token.");
  if (principal.kind !== "user") throw new ForbiddenError("API keys are not accepted here; sign in instead.");
  return principal;
}

/**
 * For what a person decides: throws {@link ForbiddenError} also for the API token, which programs have, and for users who may have
 * signed up as a program.
 */
export function requireSignedIn(principal: Principal | null): SignedInUser {
  const { sessionId, ...user } = requireUser(principal);
  if (sessionId === undefined) throw new ForbiddenError("Only a person who is signed in can decide this.");
  if (user.canDecide !== true)
    throw new ForbiddenError(
      "Only the first user can decide this while anyone can sign up. With SIGN_UP=closed, every user can.",
    );
  return { ...user, sessionId };
}

/** Throws {@link UnauthenticatedError} without credentials, {@link ForbiddenError} for a key without the scope. */
export function requireUserOrKey(principal: Principal | null, scope: ApiKeyScope): Principal {
  if (principal === null) throw new UnauthenticatedError("Sign in, or send an API token or key.");
  return principal.kind === "user" ? principal : requireKey(principal, scope);
}

/** Throws {@link UnauthenticatedError} without a key, {@link ForbiddenError} for a key with none of the scopes. */
export function requireKey(principal: Principal | null, ...scopes: readonly ApiKeyScope[]): ApiKeyPrincipal {
  if (principal?.kind !== "api_key") throw new UnauthenticatedError("Send an API key as a bearer token.");
  if (!scopes.some((scope) => principal.scopes.has(scope)))
    throw new ForbiddenError(`The API key lacks the scope ${scopes.join(" or ")}.`);
  return principal;
}
