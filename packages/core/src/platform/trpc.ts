import { initTRPC } from "@trpc/server";
import type { Services } from "../services.ts";
import type { ApiKeyScope } from "./api-key-scope.ts";
import { ForbiddenError, UnauthenticatedError } from "./errors.ts";
import type { Principal } from "./principal.ts";
import { toPublicError } from "./public-error.ts";
import { assertStorable } from "./storable-input.ts";

/** What every procedure is given. */
export interface Context {
  readonly principal: Principal | null;
  readonly services: Services;
}

/** How a procedure appears in the REST API and in its OpenAPI document. */
export interface RouteMeta {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the surface's base path, with parameters as `{name}`. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** The heading under which the document lists it. */
  readonly tags: string[];
  /** Status of a success; 200 unless the contract says 201. */
  readonly successStatus?: 200 | 201;
  /** Statuses of failures beyond 400, 401 and 500, which every route may answer. */
  readonly errorStatuses?: readonly number[];
  /** `content` for the larger body limit of file contents and transcripts. */
  readonly bodyLimit?: "content";
}

/** `openapi` is where the document generator looks; a procedure without it is for typed internal clients only. */
export interface ProcedureMeta {
  readonly openapi?: RouteMeta;
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    // Internal clients get the same public view of a failure as REST callers; nothing private leaves.
    errorFormatter({ shape, error }) {
      const { status, message, issues } = toPublicError(error);
      return { ...shape, message, data: { code: shape.data.code, httpStatus: status, issues } };
    },
  });

export const router = t.router;

/** For callers with or without credentials. Every other procedure is built on it. */
export const publicProcedure = t.procedure.use(async ({ getRawInput, next }) => {
  assertStorable(await getRawInput());
  return next();
});

/** For people: a cookie session or the API token. */
export const userProcedure = publicProcedure.use(({ ctx, next }) => {
  const { principal } = ctx;
  if (principal === null) throw new UnauthenticatedError("Sign in, or send an API token.");
  if (principal.kind !== "user") throw new ForbiddenError("An API key does not open this; it is for signed-in users.");
  return next({ ctx: { principal } });
});

/** For people, and for programs whose key has the given scope. */
export function userOrKeyProcedure(scope: ApiKeyScope) {
  return publicProcedure.use(({ ctx, next }) => {
    const { principal } = ctx;
    if (principal === null) throw new UnauthenticatedError("Sign in, or send an API token or key.");
    if (principal.kind === "api_key") requireScope(principal.scopes, scope);
    return next({ ctx: { principal } });
  });
}

/** For programs whose key has the given scope; the `/api/v1` surface. */
export function keyProcedure(scope: ApiKeyScope) {
  return publicProcedure.use(({ ctx, next }) => {
    const { principal } = ctx;
    if (principal?.kind !== "api_key") throw new UnauthenticatedError("Send an API key as a bearer token.");
    requireScope(principal.scopes, scope);
    return next({ ctx: { principal } });
  });
}

function requireScope(scopes: ReadonlySet<ApiKeyScope>, scope: ApiKeyScope): void {
  if (!scopes.has(scope)) throw new ForbiddenError(`The API key lacks the scope ${scope}.`);
}
