import * as z from "zod";
import type { ApiKeyScope } from "../resources.ts";
import { requireKey, requireSignedIn, requireUser, requireUserOrKey } from "./authorization.ts";
import type { Access, Capability, ModelTool, ProcedureCall, RouteMeta, V1Operation } from "./capability.ts";
import type { CallInspection, Effect } from "./effect.ts";
import type { ApiKeyPrincipal, Principal, UserPrincipal } from "./principal.ts";
import { toInvalidInput } from "./public-error.ts";
import { shapeOutput } from "./shape-output.ts";
import { assertStorable } from "./storable-input.ts";
import { toMutation, toQuery, type Context, type MutationOf, type QueryOf } from "./trpc.ts";

/** A method and a path relative to the API's base path, such as `GET /tasks/{id}`. */
export type RestAddress = `${RouteMeta["method"]} ${RouteMeta["path"]}`;
export type RouteDetails = Omit<RouteMeta, "method" | "path" | "summary" | "tags">;

/** The argument of a procedure's handler. */
export interface Call<Services, Caller, Input> {
  readonly ctx: Omit<Context<Services>, "principal"> & { readonly principal: Caller };
  readonly input: Input;
}

/** A procedure that is exposed with `v1` is called by API keys too, so its handler can only rely on what both principals share. */
type Handler<Services, Caller, Input, Result> = (
  call: Call<Services, Caller | ApiKeyPrincipal, Input>,
) => Result | Promise<Result>;

/** How a procedure differs under `/api/v1` from `/api`; nothing by default. */
export interface V1Options<Input> {
  readonly path?: RouteMeta["path"];
  /** The input schema, if it is narrower. */
  readonly input?: z.ZodType<Input>;
  /** The output schema, if it is narrower. */
  readonly output?: z.ZodType;
  /** The input schema as a tool of the MCP server, if it is narrower still. */
  readonly toolInput?: z.ZodType<Input>;
}

/** How a procedure is exposed as a tool to agents and chat. */
export interface ModelToolOptions<Services, Caller, Input> extends Pick<ModelTool<Services>, "allows"> {
  /** Its name, if not that of its procedure. */
  readonly name?: string;
  /** The input schema, if it is narrower. */
  readonly input?: z.ZodType<Input>;
  /** Its results only repeat what was in the call, so they contain no text from anyone else. */
  readonly echoes?: true;
  /** Determines what a call would do, and to what, if that depends on the input. */
  readonly inspect?: (call: Call<Services, Caller | ApiKeyPrincipal, Input>) => Promise<CallInspection>;
}

/** A procedure whose input is not defined yet. `Services` are the services that its domain needs. */
export interface ProcedureBuilder<Services, Caller> {
  /** Sets the tag of the API document. */
  tagged(tag: string): ProcedureBuilder<Services, Caller>;
  /** Gives it a REST address; without one, only typed clients and assistants can call it. */
  rest(address: RestAddress, summary: string, details?: RouteDetails): ProcedureBuilder<Services, Caller>;
  input<Schema extends z.ZodType>(schema: Schema): InputProcedure<Services, Caller, z.input<Schema>, z.output<Schema>>;
  /** For a procedure without input. */
  output<Schema extends z.ZodType>(
    schema: Schema,
  ): ShapedProcedure<Services, Caller, void, undefined, z.input<Schema>, z.output<Schema>>;
}

interface InputProcedure<Services, Caller, ClientInput, Input> {
  output<Schema extends z.ZodType>(
    schema: Schema,
  ): ShapedProcedure<Services, Caller, ClientInput, Input, z.input<Schema>, z.output<Schema>>;
}

interface HasCapability<Services> {
  readonly capability: Capability<Services>;
}

/** A procedure whose input and output are defined. */
export interface ShapedProcedure<Services, Caller, ClientInput, Input, Result, Output> {
  /**
   * Exposes it under `/api/v1` to keys with the scope, or with any of several; together with `tool`, the MCP server exposes it to
   * them too.
   */
  v1(
    scopes: ApiKeyScope | readonly ApiKeyScope[],
    options?: V1Options<Input>,
  ): ShapedProcedure<Services, Caller, ClientInput, Input, Result, Output>;
  /** Describes it to models. With `options`, it becomes a tool for agents and chat as well. */
  tool(
    description: string,
    options?: ModelToolOptions<Services, Caller, Input>,
  ): ShapedProcedure<Services, Caller, ClientInput, Input, Result, Output>;
  /** For a procedure that only reads. */
  query(
    handler: Handler<Services, Caller, Input, Result>,
  ): QueryOf<Services, ClientInput, Output> & HasCapability<Services>;
  mutation(
    effect: Exclude<Effect, "reads">,
    handler: Handler<Services, Caller, Input, Result>,
  ): MutationOf<Services, ClientInput, Output> & HasCapability<Services>;
}

/** Who may call a procedure. */
interface Admission<Caller> {
  readonly access: Access;
  /** Returns the caller. Throws for principals without access. */
  readonly authorize: (principal: Principal | null) => Caller;
  /** Set if only keys with the scope have access: then its address belongs to `/api/v1`. */
  readonly keyScope?: ApiKeyScope;
}

/** For callers with or without credentials. */
export function publicProcedure<Services>(): ProcedureBuilder<Services, Principal | null> {
  return createProcedure({ access: "anyone", authorize: (principal) => principal });
}

/** For users: a cookie session or the API token. */
export function userProcedure<Services>(): ProcedureBuilder<Services, UserPrincipal> {
  return createProcedure({ access: "user", authorize: requireUser });
}

/** For users who have signed in: a cookie session, but not the API token. No surface for programs or models may offer it. */
export function signedInProcedure<Services>(): ProcedureBuilder<Services, UserPrincipal> {
  return createProcedure({ access: "signed_in", authorize: requireSignedIn });
}

/** For users, and for API keys with the given scope. */
export function userOrKeyProcedure<Services>(scope: ApiKeyScope): ProcedureBuilder<Services, Principal> {
  return createProcedure({
    access: { userOrKey: scope },
    authorize: (principal) => requireUserOrKey(principal, scope),
  });
}

/** For API keys with the given scope only. */
export function keyProcedure<Services>(scope: ApiKeyScope): ProcedureBuilder<Services, ApiKeyPrincipal> {
  return createProcedure({
    access: { key: [scope] },
    authorize: (principal) => requireKey(principal, scope),
    keyScope: scope,
  });
}

function createProcedure<Services, Caller>(
  admission: Admission<Caller>,
  tags: string[] = [],
  route?: RouteMeta,
): ProcedureBuilder<Services, Caller> {
  return {
    tagged: (tag) => createProcedure(admission, [tag], route),
    rest: (address, summary, details = {}) =>
      createProcedure(admission, tags, { ...parseAddress(address), summary, tags, ...details }),
    input: (input) => ({
      output: (output) => createShapedProcedure({ admission, route, input, parse: parserOf(input), output }),
    }),
    output: (output) => createShapedProcedure({ admission, route, input: undefined, parse: () => undefined, output }),
  };
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

function parseAddress(address: RestAddress): Pick<RouteMeta, "method" | "path"> {
  const method = METHODS.find((known) => address.startsWith(`${known} /`));
  if (method === undefined) throw new Error(`${address} does not begin with a known method.`);
  return { method, path: `/${address.slice(method.length + 2)}` };
}

interface Shape<Caller, Input> {
  readonly admission: Admission<Caller>;
  readonly route: RouteMeta | undefined;
  readonly input: z.ZodType | undefined;
  readonly parse: (rawInput: unknown) => Input;
  readonly output: z.ZodType;
}

/** Where a procedure is exposed besides `/api`. */
interface Exposure<Services, Caller, Input> {
  readonly v1?: V1Options<Input> & { readonly scopes: readonly ApiKeyScope[] };
  readonly toolDescription?: string;
  readonly modelTool?: ModelToolOptions<Services, Caller, Input> | undefined;
}

function createShapedProcedure<Services, Caller, ClientInput, Input, Result, Output>(
  shape: Shape<Caller, Input>,
  exposure: Exposure<Services, Caller, Input> = {},
): ShapedProcedure<Services, Caller, ClientInput, Input, Result, Output> {
  const typedOutput = z.custom<Output>();
  const finish = (effect: Effect, handler: Handler<Services, Caller, Input, Result>) => {
    const capability = toCapability({ effect, shape, exposure, handler });
    // The output schema has already validated and shaped it; this only restores its type.
    const call = async (ctx: Context<Services>, rawInput: unknown): Promise<Output> =>
      typedOutput.parse(await capability.api.call(ctx, rawInput));
    return { capability, call };
  };
  return {
    v1: (scopes, options = {}) =>
      createShapedProcedure(shape, { ...exposure, v1: { ...options, scopes: [scopes].flat() } }),
    tool: (toolDescription, modelTool) => createShapedProcedure(shape, { ...exposure, toolDescription, modelTool }),
    query: (handler) => {
      const { capability, call } = finish("reads", handler);
      return Object.assign(toQuery<Services, ClientInput, Output>(call), { capability });
    },
    mutation: (effect, handler) => {
      const { capability, call } = finish(effect, handler);
      return Object.assign(toMutation<Services, ClientInput, Output>(call), { capability });
    },
  };
}

interface Definition<Services, Caller, Input, Result> {
  readonly effect: Effect;
  readonly shape: Shape<Caller, Input>;
  readonly exposure: Exposure<Services, Caller, Input>;
  readonly handler: Handler<Services, Caller, Input, Result>;
}

function toCapability<Services, Caller, Input, Result>(
  definition: Definition<Services, Caller, Input, Result>,
): Capability<Services> {
  const { effect, shape, exposure, handler } = definition;
  const { admission, route, input, parse, output } = shape;
  const { access, authorize, keyScope } = admission;
  const v1 = exposure.v1 ?? (keyScope === undefined ? undefined : { scopes: [keyScope] });
  return {
    effect,
    api: {
      access,
      route: keyScope === undefined ? route : undefined,
      input,
      output,
      call: bindCall({ authorize, parse, handler, output }),
    },
    v1: v1 === undefined ? undefined : toV1Operation(shape, v1, handler),
    toolDescription: exposure.toolDescription,
    ...(exposure.modelTool?.name !== undefined && { toolName: exposure.modelTool.name }),
    modelTool: exposure.modelTool === undefined ? undefined : toModelTool(shape, exposure.modelTool, handler),
  };
}

const FORBIDDEN = 403;

function toV1Operation<Services, Caller, Input, Result>(
  { route, input, parse, output }: Shape<Caller, Input>,
  options: V1Options<Input> & { readonly scopes: readonly ApiKeyScope[] },
  handler: Handler<Services, Caller, Input, Result>,
): V1Operation<Services> {
  const { scopes } = options;
  const authorize = (principal: Principal | null) => requireKey(principal, ...scopes);
  const bind = (schema: z.ZodType<Input> | undefined) => ({
    input: schema ?? input,
    call: bindCall({
      authorize,
      parse: schema === undefined ? parse : parserOf(schema),
      handler,
      output: options.output ?? output,
    }),
  });
  const call = bind(options.input);
  return {
    access: { key: scopes },
    route: route && {
      ...route,
      path: options.path ?? route.path,
      errorStatuses: [...new Set([FORBIDDEN, ...(route.errorStatuses ?? [])])],
    },
    output: options.output ?? output,
    ...call,
    tool: options.toolInput === undefined ? call : bind(options.toolInput),
  };
}

function toModelTool<Services, Caller, Input, Result>(
  shape: Shape<Caller, Input>,
  options: ModelToolOptions<Services, Caller, Input>,
  handler: Handler<Services, Caller, Input, Result>,
): ModelTool<Services> {
  const { admission, output } = shape;
  const { authorize } = admission;
  const { allows, echoes = false, inspect } = options;
  const parse = options.input === undefined ? shape.parse : parserOf(options.input);
  return {
    allows,
    bringsText: !echoes,
    input: options.input ?? shape.input,
    call: bindCall({ authorize, parse, handler, output }),
    ...(inspect !== undefined && {
      inspect: async (ctx, rawInput) =>
        inspect({ ctx: { ...ctx, principal: authorize(ctx.principal) }, input: parse(rawInput) }),
    }),
  };
}

interface Binding<Services, Caller, Input> {
  readonly authorize: (principal: Principal | null) => Caller;
  readonly parse: (rawInput: unknown) => Input;
  readonly handler: (call: Call<Services, Caller, Input>) => unknown;
  readonly output: z.ZodType;
}

/** The one way to run a procedure, shared by all transports. */
function bindCall<Services, Caller, Input>({
  authorize,
  parse,
  handler,
  output,
}: Binding<Services, Caller, Input>): ProcedureCall<Services> {
  return async (ctx, rawInput) => {
    const principal = authorize(ctx.principal);
    assertStorable(rawInput);
    const result = await handler({ ctx: { ...ctx, principal }, input: parse(rawInput) });
    return shapeOutput(output, result);
  };
}

/** Returns a function that parses input, or throws InvalidInputError with what is wrong with each field. */
function parserOf<Schema extends z.ZodType>(schema: Schema): (rawInput: unknown) => z.output<Schema> {
  return (rawInput) => {
    const parsed = schema.safeParse(rawInput);
    if (!parsed.success) throw toInvalidInput(parsed.error);
    return parsed.data;
  };
}
