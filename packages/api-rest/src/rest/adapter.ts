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
import FindMyWay, { type HTTPMethod } from "find-my-way";
import { entityTagOf, withIfMatch } from "./entity-tag.ts";
import { sendError, sendJson, toApiErrorBody, type ErrorWriter } from "./error-response.ts";
import type { JsonBodyReader } from "./json-body.ts";
import { readQuery } from "./query-coercion.ts";
import { collectRoutes, type Route } from "./routes.ts";

export interface RestAdapterOptions {
  readonly router: AnyRouter;
  /** Makes the context of one request, or throws for a caller who may not be here at all. It runs before routing. */
  readonly createContext: (req: Request, res: Response) => Context | Promise<Context>;
  readonly readBody: { readonly ordinary: JsonBodyReader; readonly content: JsonBodyReader };
  /** Hears of every failure, and logs what clients are not told. */
  readonly reportError: (error: unknown, req: Request) => void;
  readonly toErrorBody?: ErrorWriter;
}

/**
 * Serves a tRPC router as REST from its metadata: each request becomes one call of one procedure, whose output is the whole
 * response body. Unknown paths are 404, known paths with another method 405; literal paths win over parameters.
 */
export function createRestAdapter(options: RestAdapterOptions): RequestHandler {
  const { createContext, reportError, toErrorBody = toApiErrorBody } = options;
  const matchRoute = createRouteMatcher(collectRoutes(options.router));

  return (req, res) => {
    void handle(req, res).catch((error: unknown) => {
      const publicError = toPublicError(error);
      reportError(error, req);
      respondWithError(res, publicError, toErrorBody);
    });
  };

  async function handle(req: Request, res: Response): Promise<void> {
    const ctx = await createContext(req, res);
    const [path, queryString] = splitUrl(req.url);
    const match = matchRoute(req.method, path);
    if ("allowedMethods" in match) {
      rejectUnmatched(res, match.allowedMethods, toErrorBody);
      return;
    }
    const { route, params } = match;
    const given = route.readsQuery ? readQuery(queryString, route.queryPlan) : await readObjectBody(route, req, res);
    const input = { ...given, ...params };
    const isConditional = route.meta.takesIfMatch === true;
    const output = await route.call(ctx, isConditional ? withIfMatch(input, req.headers["if-match"]) : input);
    const entityTag = entityTagOf(output, route.meta.entityTagAt ?? []);
    if (entityTag !== undefined) res.setHeader("ETag", entityTag);
    sendJson(res, route.meta.successStatus ?? 200, output);
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

type Match = { route: Route; params: Record<string, string | undefined> } | { allowedMethods: string[] };

function createRouteMatcher(routes: readonly Route[]): (method: string, path: string) => Match {
  const finder = FindMyWay({ maxParamLength: 4096 });
  const methods = [...new Set(routes.map(({ meta }) => meta.method))];
  // The finder hands back what it was given without its type, so it is given the place in the list.
  routes.forEach(({ meta }, index) => finder.on(meta.method, toFinderPath(meta), () => undefined, index));

  function find(method: HTTPMethod, path: string): Match | undefined {
    const found = finder.find(method, path);
    const route = routes[Number(found?.store)];
    return found === null || route === undefined
      ? undefined
      : { route, params: toParameters(found.params, route.meta) };
  }
  return (method, path) => {
    const known = methods.find((candidate) => candidate === (method === "HEAD" ? "GET" : method));
    const match = known === undefined ? undefined : find(known, path);
    return match ?? { allowedMethods: methods.filter((other) => find(other, path) !== undefined) };
  };
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
  const name = endsInPath === true ? LAST_PARAMETER.exec(path)?.[1] : undefined;
  if (name === undefined) return params;
  const { "*": rest, ...named } = params;
  return { ...named, [name]: rest };
}

function splitUrl(url: string): [path: string, queryString: string] {
  const start = url.indexOf("?");
  return start === -1 ? [url, ""] : [url.slice(0, start), url.slice(start + 1)];
}

function rejectUnmatched(res: Response, allowedMethods: readonly string[], toErrorBody: ErrorWriter): void {
  if (allowedMethods.length === 0) {
    sendError(res, toPublicError(new NotFoundError("There is nothing at this address.")), toErrorBody);
    return;
  }
  const allow = allowedMethods.includes("GET") ? [...allowedMethods, "HEAD"] : allowedMethods;
  res.setHeader("Allow", allow.join(", "));
  sendError(res, { status: 405, message: `This address answers ${allow.join(", ")} only.` }, toErrorBody);
}

function respondWithError(res: Response, error: PublicError, toErrorBody: ErrorWriter): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  // What is left of a body that was refused is not read; the connection cannot be used again.
  if (error.status === 413) res.setHeader("Connection", "close");
  sendError(res, error, toErrorBody);
}
