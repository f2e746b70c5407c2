import type { IncomingHttpHeaders } from "node:http";
import {
  InvalidInputError,
  NotFoundError,
  toPublicError,
  type Context,
  type PublicError,
  type RoutedOperation,
  type RouteMeta,
  type Services,
} from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import FindMyWay from "find-my-way";
import { noteRoute } from "../observing/tracing/request-route.ts";
import { setDeprecation } from "./deprecation.ts";
import { entityTagOf, isCreateOnly, matchesNone, toFailedCondition, withIfMatch } from "./entity-tag.ts";
import {
  sendError,
  sendMethodNotAllowed,
  sendNotModified,
  toApiErrorBody,
  type ErrorWriter,
} from "./error-response.ts";
import type { JsonResponses } from "./json-responses.ts";
import type { JsonBodyReader } from "./json-body.ts";
import { isDecodable, splitUrl } from "./percent-encoding.ts";
import { readQuery, toParameterError } from "./query-coercion.ts";
import type { Repeats } from "./repeats.ts";
import { toRoute, type Route } from "./routes.ts";

export interface RestAdapterOptions {
  readonly operations: readonly RoutedOperation<Services>[];
  /** Creates the context of a request. Throws if the caller has no access at all, before any 404 or 405. */
  readonly createContext: (
    req: Request,
    res: Response,
    address: Address,
  ) => Context<Services> | Promise<Context<Services>>;
  readonly responses: JsonResponses;
  readonly readBody: { readonly ordinary: JsonBodyReader; readonly content: JsonBodyReader };
  /** Called with every failure; logs errors hidden from clients. */
  readonly reportError: (error: unknown, req: Request) => void;
  readonly toErrorBody?: ErrorWriter;
  /** Sets headers that depend on the output of a procedure. */
  readonly setHeaders?: (res: Response, route: Route, output: unknown) => void;
  /** Carries out once what is sent several times. */
  readonly repeats?: Repeats;
}

/** What decides about access: the path by which the route is found, and whether that route is open. */
export interface Address {
  /** Below the adapter's base path, undecoded. */
  readonly path: string;
  /** Whether anyone may call a procedure at this path, with this or another method. */
  readonly isOpen: boolean;
}

/**
 * Serves operations as REST: each request becomes one call of one procedure, whose output is the whole response body. Unknown
 * paths are 404, known paths with another method 405; literal paths win over parameters, whatever the method.
 */
export function createRestAdapter(options: RestAdapterOptions): RequestHandler {
  const { createContext, responses, reportError, toErrorBody = toApiErrorBody, setHeaders, repeats } = options;
  const matchRoute = createRouteMatcher(options.operations.map(toRoute));

  return (req, res) => {
    void handle(req, res).catch((error: unknown) => {
      const publicError = toPublicError(error);
      reportError(error, req);
      respondWithError(res, publicError, toErrorBody);
    });
  };

  async function handle(req: Request, res: Response): Promise<void> {
    const [path, queryString] = splitUrl(req.url);
    const match = matchRoute(req.method, path);
    const ctx = await createContext(req, res, { path, isOpen: match.isOpen });
    if ("allowedMethods" in match) {
      rejectUnmatched(res, match.allowedMethods, toErrorBody);
      return;
    }
    const { route, params } = match;
    noteRoute(res, `${req.baseUrl}${route.meta.path}`);
    setDeprecation(res, route.meta);
    const query = readQuery(queryString, route.queryPlan);
    const given = route.readsQuery ? query : await readObjectBody(route, req, res);
    const input = { ...given, ...params };
    const call = (context: Context<Services>): Promise<unknown> =>
      callUnderConditions(route, context, { input, headers: req.headers });
    const repeatable = repeats?.of(route, ctx, req);
    if (repeatable !== undefined) {
      await repeatable.respond(res, call);
      return;
    }
    const output = await call(ctx).catch((error: unknown) => {
      throw route.readsQuery ? toParameterError(error) : error;
    });
    const entityTag = entityTagOf(output, route.meta);
    if (entityTag !== undefined) res.setHeader("ETag", entityTag);
    setHeaders?.(res, route, output);
    if (
      entityTag !== undefined &&
      route.meta.method === "GET" &&
      matchesNone(req.headers["if-none-match"], entityTag)
    ) {
      sendNotModified(res);
      return;
    }
    await responses.send(res, route.meta.successStatus ?? 200, output);
  }

  /** The request's conditions are passed as input, so that the service checks them atomically with what it does. */
  async function callUnderConditions(
    { meta, call }: Route,
    ctx: Context<Services>,
    { input, headers }: { input: object; headers: IncomingHttpHeaders },
  ): Promise<unknown> {
    const { takesIfMatch, takesIfNoneMatch } = meta;
    const conditional = takesIfMatch === undefined ? input : withIfMatch(input, headers["if-match"], takesIfMatch);
    if (takesIfNoneMatch !== true || !isCreateOnly(headers["if-none-match"])) return call(ctx, conditional);
    try {
      return await call(ctx, { ...conditional, createOnly: true });
    } catch (error) {
      throw toFailedCondition(error);
    }
  }

  async function readObjectBody(route: Route, req: Request, res: Response): Promise<object> {
    const read = route.meta.bodyLimit === "content" ? options.readBody.content : options.readBody.ordinary;
    const body = await read(req, res);
    if (body === undefined) return {};
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
      throw new InvalidInputError("The body must be a JSON object.");
    }
    return body;
  }
}

type Match = { readonly isOpen: boolean } & (
  { route: Route; params: Record<string, string | undefined> } | { allowedMethods: string[] }
);

/** Matches the path first and the method afterwards, so that a literal path always wins over one with a parameter. */
function createRouteMatcher(routes: readonly Route[]): (method: string, path: string) => Match {
  // Procedures limit the length of ids.
  const finder = FindMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
  const paths = groupByPath(routes);
  // The finder does not preserve the type of what it stores, so it stores the index.
  paths.forEach(({ finderPath }, index) => finder.on("GET", finderPath, () => undefined, index));

  return (method, path) => {
    const found = finder.find("GET", toDecodablePath(path));
    const group = paths[Number(found?.store)];
    if (found === null || group === undefined) return { isOpen: false, allowedMethods: [] };
    const { routes, isOpen } = group;
    const procedureMethod = method === "HEAD" ? "GET" : method;
    const route = routes.find(({ meta }) => meta.method === procedureMethod);
    if (route === undefined) return { isOpen, allowedMethods: routes.map(({ meta }) => meta.method) };
    // A malformed id is for its procedure to refuse, but a file path that cannot be decoded does not exist.
    if (route.meta.endsInPath === true && !isDecodable(path)) return { isOpen, allowedMethods: [] };
    return { isOpen, route, params: toParameters(found.params, route.meta) };
  };
}

function groupByPath(routes: readonly Route[]): { finderPath: string; routes: Route[]; isOpen: boolean }[] {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const finderPath = toFinderPath(route.meta);
    groups.set(finderPath, [...(groups.get(finderPath) ?? []), route]);
  }
  return [...groups].map(([finderPath, group]) => ({
    finderPath,
    routes: group,
    isOpen: group.some(({ access }) => access === "anyone"),
  }));
}

/** The finder matches no path with a malformed segment. It is replaced by NUL, which no name contains either. */
function toDecodablePath(path: string): string {
  if (isDecodable(path)) return path;
  return path
    .split("/")
    .map((segment) => (isDecodable(segment) ? segment : "%00"))
    .join("/");
}

const LAST_PARAMETER = /\{(\w+)\}$/;

/** `/tasks/{id}` in the finder's syntax. */
function toFinderPath({ path, endsInPath }: RouteMeta): string {
  const finderPath = endsInPath === true ? path.replace(LAST_PARAMETER, "*") : path;
  return finderPath.replaceAll(/\{(\w+)\}/g, ":$1");
}

function toParameters(
  params: Record<string, string | undefined>,
  { path, endsInPath }: RouteMeta,
): Record<string, string | undefined> {
  const { "*": rest, ...ids } = params;
  const named = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, toStorableId(id)]));
  const name = endsInPath === true ? LAST_PARAMETER.exec(path)?.[1] : undefined;
  return name === undefined ? named : { ...named, [name]: rest };
}

/**
 * Makes the procedure refuse an id with NUL like any malformed id, instead of the check of what can be stored.
 */
function toStorableId(id: string | undefined): string | undefined {
  return id?.replaceAll("\0", "%00");
}

function rejectUnmatched(res: Response, allowedMethods: readonly string[], toErrorBody: ErrorWriter): void {
  if (allowedMethods.length === 0) {
    sendError(res, toPublicError(new NotFoundError("There is nothing at this URL.")), toErrorBody);
    return;
  }
  const withHead = allowedMethods.includes("GET") ? [...allowedMethods, "HEAD"] : allowedMethods;
  sendMethodNotAllowed(res, withHead, toErrorBody);
}

function respondWithError(res: Response, error: PublicError, toErrorBody: ErrorWriter): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  // The tag does not describe an error's body.
  res.removeHeader("ETag");
  // The rest of a refused body is not read, so the connection cannot be reused.
  if (error.status === 413) res.setHeader("Connection", "close");
  sendError(res, error, toErrorBody);
}
