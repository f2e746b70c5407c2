import { initTRPC } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import type { Services } from "../services.ts";
import type { ApiKeyScope } from "./api-key-scope.ts";
import { requireKey, requireUser, requireUserOrKey } from "./authorization.ts";
import type { Principal } from "./principal.ts";
import { toPublicError } from "./public-error.ts";
import { assertStorable } from "./storable-input.ts";
import { toTrpcErrorCode } from "./trpc-error-code.ts";

/** What a few procedures take from a transport that has it, beside their input. */
export interface Delivery {
  /** The caller's name for this request: a repeat is to get the first answer and have no further effect. */
  readonly idempotencyKey?: string | undefined;
  /** Called once, when the request is accepted and its answer is being made. */
  readonly onBegin?: () => void;
  /** Hears the answer while it is made. */
  readonly onText?: (delta: string) => void;
}

/** What every procedure is given. */
export interface Context {
  readonly principal: Principal | null;
  readonly services: Services;
  readonly delivery?: Delivery;
}

/** How a procedure appears in the REST API and in its OpenAPI document. */
export interface RouteMeta {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the surface's base path, with parameters as `{name}`. */
  readonly path: `/${string}`;
  /** The path ends in a parameter that takes slashes too. */
  readonly endsInPath?: true;
  readonly summary: string;
  /** The heading under which the document lists it. */
  readonly tags: string[];
  /** Status of a success; 200 unless the contract says 201. */
  readonly successStatus?: 200 | 201;
  /** Statuses of failures beyond 400, 401 and 500, which every route may answer. */
  readonly errorStatuses?: readonly number[];
  /** `content` for the larger body limit of file contents and transcripts. */
  readonly bodyLimit?: "content";
  /** Where the output has the entity tag of what it shows, key by key; it is sent as `ETag` too. */
  readonly entityTagAt?: readonly string[];
  /** Neighbours of the entity tag that change without it. The `ETag` header gets a hash of them added. */
  readonly entityTagWith?: readonly string[];
  /** The field of the input that `If-Match` is taken as: a list of entity tags without quotes, or `*`. */
  readonly takesIfMatch?: "expectedHash" | "expectedVersion";
  /** Whether `If-None-Match: *` is taken as the input's `createOnly`; what is there already is then 412 and not 409. */
  readonly takesIfNoneMatch?: true;
}

/** How a procedure appears to an assistant, as a tool of the MCP server. */
export interface ToolMeta {
  readonly name: string;
  readonly description: string;
  /** What was there before may be gone after a call. */
  readonly isDestructive?: true;
}

/** Who may call a procedure: anyone, people, programs whose key has the scope, or people and such programs. */
export type Access = "anyone" | "user" | { readonly key: ApiKeyScope } | { readonly userOrKey: ApiKeyScope };

/** `openapi` is where the document generator looks; a procedure without it is for typed internal clients only. */
export interface ProcedureMeta {
  readonly openapi?: RouteMeta;
  readonly tool?: ToolMeta;
  /** Set by the kind of procedure that it is built on. */
  readonly access?: Access;
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    // Internal clients get the same public view of a failure as REST callers; nothing private leaves.
    errorFormatter({ shape, error }) {
      const { status, message, issues } = toPublicError(error);
      const code = toTrpcErrorCode(status);
      return { ...shape, code: TRPC_ERROR_CODES_BY_KEY[code], message, data: { code, httpStatus: status, issues } };
    },
  });

export const router = t.router;

/**
 * For callers with or without credentials. Like its siblings it has exactly one middleware, which does what
 * `admit` does: {@link compileProcedure} counts on that.
 */
export const publicProcedure = t.procedure.meta({ access: "anyone" }).use(async ({ getRawInput, next }) => {
  assertStorable(await getRawInput());
  return next();
});

/** For people: a cookie session or the API token. */
export const userProcedure = t.procedure.meta({ access: "user" }).use(async ({ ctx, getRawInput, next }) => {
  const principal = requireUser(ctx.principal);
  assertStorable(await getRawInput());
  return next({ ctx: { principal } });
});

/** For people, and for programs whose key has the given scope. */
export function userOrKeyProcedure(scope: ApiKeyScope) {
  return t.procedure.meta({ access: { userOrKey: scope } }).use(async ({ ctx, getRawInput, next }) => {
    const principal = requireUserOrKey(ctx.principal, scope);
    assertStorable(await getRawInput());
    return next({ ctx: { principal } });
  });
}

/** For programs whose key has the given scope; the `/api/v1` surface. */
export function keyProcedure(scope: ApiKeyScope) {
  return t.procedure.meta({ access: { key: scope } }).use(async ({ ctx, getRawInput, next }) => {
    const principal = requireKey(ctx.principal, scope);
    assertStorable(await getRawInput());
    return next({ ctx: { principal } });
  });
}
