import type * as z from "zod";
import type { ApiKeyScope } from "../resources.ts";
import type { CallInspection, Effect } from "./effect.ts";
import type { Context } from "./trpc.ts";

/** How a procedure appears in a REST API and its OpenAPI document. */
export interface RouteMeta {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to the API's base path, with parameters as `{name}`. */
  readonly path: `/${string}`;
  /** The last parameter of the path may contain slashes. */
  readonly endsInPath?: true;
  readonly summary: string;
  /** The OpenAPI tags. */
  readonly tags: string[];
  /** The status of a successful response; 200 unless the contract says 201. */
  readonly successStatus?: 200 | 201;
  /** Error statuses other than 400, 401 and 500, which every route may return. */
  readonly errorStatuses?: readonly number[];
  /** `content` for the larger body limit of file contents and transcripts. */
  readonly bodyLimit?: "content";
  /** The path, key by key, to the entity tag in the output; it is also sent as `ETag`. */
  readonly entityTagAt?: readonly string[];
  /** Siblings of the entity tag that change independently of it. A hash of them is appended to the `ETag` header. */
  readonly entityTagWith?: readonly string[];
  /** The input field that is set from `If-Match`: a list of entity tags without quotes, or `*`. */
  readonly takesIfMatch?: "expectedHash" | "expectedVersion";
  /** Whether `If-None-Match: *` sets the input's `createOnly`; an existing resource then results in 412, not 409. */
  readonly takesIfNoneMatch?: true;
  /** Whether a request may come without a body, since all fields of it are optional. */
  readonly hasOptionalBody?: true;
  /** Set once programs are to stop using it. */
  readonly deprecation?: Deprecation;
  /** The procedure itself recognises a repeat by its `Idempotency-Key`. */
  readonly recognisesRepeats?: true;
  /** Its response contains a secret, which is only stored encrypted. */
  readonly returnsSecret?: true;
}

/** That a route should no longer be used. */
export interface Deprecation {
  /** The day since when, as `YYYY-MM-DD`. */
  readonly since: string;
  /** The first day on which it may be gone; at least a year later. Undefined if that is not decided. */
  readonly sunset?: string;
  /** What to use instead, as a sentence. */
  readonly instead: string;
}

/** API keys with any of these scopes. */
interface KeyAccess {
  readonly key: readonly ApiKeyScope[];
}

/** Who may call a procedure: anyone, users, users only if they have signed in themselves, API keys, or users and keys with a scope. */
export type Access = "anyone" | "user" | "signed_in" | KeyAccess | { readonly userOrKey: ApiKeyScope };

/** Calls a procedure: authorizes, validates the input, runs it and shapes the output. Throws the errors of `errors.ts`. */
export type ProcedureCall<Services> = (ctx: Context<Services>, rawInput: unknown) => Promise<unknown>;

/** A procedure as one API exposes it, with everything resolved that does not depend on the request. */
export interface Operation<Services> {
  readonly access: Access;
  /** Undefined if it has no REST address. */
  readonly route: RouteMeta | undefined;
  /** Undefined if it takes no input. */
  readonly input: z.ZodType | undefined;
  readonly output: z.ZodType;
  readonly call: ProcedureCall<Services>;
}

/** A procedure as `/api/v1` and the MCP server expose it. */
export interface V1Operation<Services> extends Operation<Services> {
  /** The scopes of which a key needs one to see and call the operation. */
  readonly access: KeyAccess;
  /** How it is called as a tool. */
  readonly tool: Pick<Operation<Services>, "input" | "call">;
}

/** A procedure as a tool for agents and chat, which call it on behalf of a user. */
export interface ModelTool<Services> {
  /** What it allows, as a plain sentence for the person choosing an agent's tools. */
  readonly allows: string;
  /** Whether its results may contain text that the user did not write. */
  readonly bringsText: boolean;
  readonly input: z.ZodType | undefined;
  readonly call: ProcedureCall<Services>;
  /** Determines what a call would do, and to what; if absent, the procedure's effect, to nothing in particular. */
  readonly inspect?: (ctx: Context<Services>, rawInput: unknown) => Promise<CallInspection>;
}

/** Everything that a procedure declares about itself; each API is derived from it. */
export interface Capability<Services> {
  /** The most that a call can do. */
  readonly effect: Effect;
  /** Under `/api` and for typed clients. */
  readonly api: Operation<Services>;
  /** For programs with a bearer key; undefined if not available to them. */
  readonly v1: V1Operation<Services> | undefined;
  /** What it does, in words for models; undefined if it is not a tool. */
  readonly toolDescription: string | undefined;
  /** Its name as a tool, if not that of its procedure. */
  readonly toolName?: string;
  /** Undefined if not available to agents and chat. */
  readonly modelTool: ModelTool<Services> | undefined;
}

export interface NamedCapability<Services> extends Capability<Services> {
  /** Its name in every API, such as `tasks.list`. */
  readonly name: string;
  /** Its name as a tool: by default the same in characters that models accept, such as `tasks_list`. */
  readonly toolName: string;
}

/** An operation with a REST address. */
export interface RoutedOperation<Services> extends Operation<Services> {
  readonly name: string;
  /** The most that a call can do. */
  readonly effect: Effect;
  /** What it does in more detail than its summary. */
  readonly description: string | undefined;
  readonly route: RouteMeta;
}

/** The procedures of each domain. */
export type Domains<Services> = Readonly<
  Record<string, Readonly<Record<string, { readonly capability: Capability<Services> }>>>
>;

/** The capabilities of all procedures with their names, in the order of the domains. */
export function listCapabilities<Services>(domains: Domains<Services>): NamedCapability<Services>[] {
  return Object.entries(domains).flatMap(([domain, procedures]) =>
    Object.entries(procedures).map(([procedure, { capability }]) => ({
      toolName: `${domain}_${procedure}`,
      ...capability,
      name: `${domain}.${procedure}`,
    })),
  );
}

/** The operations that a REST API serves. */
export function listOperations<Services>(
  capabilities: readonly NamedCapability<Services>[],
  surface: "api" | "v1",
): RoutedOperation<Services>[] {
  return capabilities.flatMap(({ name, effect, toolDescription: description, [surface]: operation }) =>
    operation?.route === undefined ? [] : [{ ...operation, name, effect, description, route: operation.route }],
  );
}
