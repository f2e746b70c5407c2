import type { IncomingHttpHeaders } from "node:http";
import type { AnyRouter } from "@trpc/server";
import {
  InvalidInputError,
  NotFoundError,
  toPublicError,
  type Context,
  type PublicError,
  type RouteMeta,
} from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import FindMyWay from "find-my-way";
import { entityTagOf, isCreateOnly, matchesNone, toFailedCondition, withIfMatch } from "./entity-tag.ts";
import {
  sendError,
  sendMethodNotAllowed,
  sendNotModified,
  toApiErrorBody,
  type ErrorWriter,
} from "./error-response.ts";
import type { JsonAnswers } from "./json-answers.ts";
import type { JsonBodyReader } from "./json-body.ts";
import { isDecodable, splitUrl } from "./percent-encoding.ts";
import { readQuery } from "./query-coercion.ts";
import { collectRoutes, type Route } from "./routes.ts";

export interface RestAdapterOptions {
  readonly router: AnyRouter;
  /** Makes the context of one request, or throws for a caller who may not be here at all, before 404 and 405 are told. */
  readonly createContext: (req: Request, res: Response, address: Address) => Context | Promise<Context>;
  readonly answers: JsonAnswers;
  readonly readBody: { readonly ordinary: JsonBodyReader; readonly content: JsonBodyReader };
  /** Hears of every failure, and logs what clients are not told. */
  readonly reportError: (error: unknown, req: Request) => void;
  readonly toErrorBody?: ErrorWriter;
  /** Sets headers that follow from what a procedure answers. */
  readonly setHeaders?: (res: Response, route: Route, output: unknown) => void;
}

/** What access is decided by: the very string that routes are found by, and what was found. */
export interface Address {
  /** Below the adapter's base path, undecoded. */
  readonly path: string;
  /** Whether a procedure that anyone may call stands behind it, with this method or another. */
  readonly isOpen: boolean;
}

/**
 * Serves a tRPC router as REST from its metadata: each request becomes one call of one procedure, whose output is the whole
 * response body. Unknown paths are 404, known paths with another method 405; literal paths win over parameters, whatever the
 * method.
 */
export function createRestAdapter(options: RestAdapterOptions): RequestHandler {
  const { createContext, answers, reportError, toErrorBody = toApiErrorBody, setHeaders } = options;
  const matchRoute = createRouteMatcher(collectRoutes(options.router));

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
    const query = readQuery(queryString, route.queryPlan);
    const given = route.readsQuery ? query : await readObjectBody(route, req, res);
    const input = { ...given, ...params };
    const output = await callUnderConditions(route, ctx, { input, headers: req.headers });
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
    await answers.send(res, route.meta.successStatus ?? 200, output);
  }

  /** The request's conditions go into the input, so that the service checks them together with what it does. */
  async function callUnderConditions(
    { meta, call }: Route,
    ctx: Context,
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

/** Finds the address first and its method then, so that a literal address is never taken for one with a parameter. */
function createRouteMatcher(routes: readonly Route[]): (method: string, path: string) => Match {
  // How long an id may be is for its procedure to say.
  const finder = FindMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
  const addresses = groupByPath(routes);
  // The finder hands back what it was given without its type, so it is given the place in the list.
  addresses.forEach(({ finderPath }, index) => finder.on("GET", finderPath, () => undefined, index));

  return (method, path) => {
    const found = finder.find("GET", toDecodablePath(path));
    const address = addresses[Number(found?.store)];
    if (found === null || address === undefined) return { isOpen: false, allowedMethods: [] };
    const { routes, isOpen } = address;
    const procedureMethod = method === "HEAD" ? "GET" : method;
    const route = routes.find(({ meta }) => meta.method === procedureMethod);
    if (route === undefined) return { isOpen, allowedMethods: routes.map(({ meta }) => meta.method) };
    // What is no id may be refused in more than one way, but a path that cannot be decoded names nothing.
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

/** The finder knows no address with a segment that cannot be decoded. NUL takes its place, which no name contains either. */
function toDecodablePath(path: string): string {
  if (isDecodable(path)) return path;
  return path
    .split("/")
    .map((segment) => (isDecodable(segment) ? segment : "%00"))
    .join("/");
}

const LAST_PARAMETER = /\{(\w+)\}$/;

/** `/tasks/{id}` as the finder writes it. */
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

/** An id with NUL is for its procedure to refuse, as it refuses any malformed id, and not for the check of what can be stored. */
function toStorableId(id: string | undefined): string | undefined {
  return id?.replaceAll("\0", "%00");
}

function rejectUnmatched(res: Response, allowedMethods: readonly string[], toErrorBody: ErrorWriter): void {
  if (allowedMethods.length === 0) {
    sendError(res, toPublicError(new NotFoundError("There is nothing at this address.")), toErrorBody);
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
  // What is left of a body that was refused is not read; the connection cannot be used again.
  // It would name what is not sent.
  res.removeHeader("ETag");
  if (error.status === 413) res.setHeader("Connection", "close");
  sendError(res, error, toErrorBody);
}
