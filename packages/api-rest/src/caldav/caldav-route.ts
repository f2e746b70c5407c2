import {
  ForbiddenError,
  inSlices,
  NotFoundError,
  requireUserOrKey,
  type ApiKeyScope,
  type CalendarObjectService,
} from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import { isFromOwnPage, type OriginPolicy } from "../auth/origin-check.ts";
import type { LargeResponses } from "../http/large-responses.ts";
import type { ErrorReporter } from "../http/report-error.ts";
import { createDavAuth, type DavAuthOptions } from "./dav-auth.ts";
import { readText } from "./dav-body.ts";
import { createObjectHandlers, type DavRequest, type ObjectPath } from "./dav-objects.ts";
import { DavError, sendDavError, sendXml } from "./dav-error.ts";
import { parseDavPath, ROOT_PATH } from "./dav-path.ts";
import { findProperties, refuseProperties, report } from "./dav-reads.ts";
import type { Xml } from "./xml-writer.ts";

export interface CaldavRouteOptions extends DavAuthOptions {
  /** Before all paths in responses. */
  readonly basePath: string;
  readonly calendarObjects: CalendarObjectService;
  readonly originPolicy: OriginPolicy;
  readonly largeResponses: LargeResponses;
  readonly reportError: ErrorReporter;
}

const MULTI_STATUS = 207;
const METHODS = "OPTIONS, GET, HEAD, PUT, DELETE, PROPFIND, PROPPATCH, REPORT";
/** Classes of WebDAV; 2 would be locks. */
const CLASSES = "1, 3, calendar-access";
const WELL_KNOWN = /^\/\.well-known\/caldav\/?$/;

/** Where programs look that know only the host: `/.well-known/caldav` (RFC 6764), and some at the root. */
export function createCaldavDiscovery(basePath: string): RequestHandler {
  return (req, res, next) => {
    if (!WELL_KNOWN.test(req.originalUrl) && !(req.method === "PROPFIND" && req.originalUrl === "/")) return next();
    res.writeHead(301, { Location: `${basePath}${ROOT_PATH}`, "Content-Length": 0 });
    res.end();
  };
}

/**
 * `/caldav`: tasks for calendar programs (RFC 4791). The protocol is here; what a task is, and what may be done with it, is decided by the
 * same services as for everybody else. Keys are authenticated before anything is said about a URL.
 */
export function createCaldavRoute(options: CaldavRouteOptions): RequestHandler {
  const { calendarObjects: objects, originPolicy, largeResponses, reportError, basePath } = options;
  const authenticate = createDavAuth(options);
  const handlers = createObjectHandlers(options);

  async function handle(req: Request, res: Response): Promise<void> {
    // Browsers send passwords that they know by themselves, for the pages of other sites, too.
    if (!isFromOwnPage(req.headers, originPolicy))
      throw new ForbiddenError("Requests from pages of other sites are refused.");
    const principal = await authenticate(req, res);
    res.setHeader("DAV", CLASSES);
    const path = parseDavPath(req.originalUrl);
    // At a name that the program has chosen, which is no list of ours.
    if (req.method === "MKCALENDAR" || req.method === "MKCOL")
      throw new DavError(403, null, "Create a project in the dashboard: it appears here as a list.");
    if (path === null) throw new NotFoundError("There is nothing at this URL.");
    await respond({ req, res, principal, path });
  }

  async function respond(request: DavRequest): Promise<void> {
    const { req, res, principal, path } = request;
    switch (req.method) {
      case "OPTIONS":
        res.writeHead(200, { Allow: METHODS, "Content-Length": 0 });
        res.end();
        return;
      case "PROPFIND":
        requireUserOrKey(principal, "tasks:read");
        return sendMultistatus(
          res,
          await findProperties(objects, { path, principal, depth: depthOf(req), body: await readText(req, res) }),
        );
      case "REPORT":
        requireUserOrKey(principal, "tasks:read");
        return sendMultistatus(res, await report(objects, { path, principal, body: await readText(req, res) }));
      case "PROPPATCH":
        requireUserOrKey(principal, "tasks:read");
        return sendMultistatus(res, await refuseProperties(req.originalUrl, await readText(req, res)));
      case "GET":
      case "HEAD":
        return handlers.get(request, requireObject(request, "tasks:read"));
      case "PUT":
        return handlers.put(request, requireObject(request, "tasks:write"));
      case "DELETE":
        return handlers.delete(request, requireObject(request, "tasks:write"));
      default:
        throw notAllowed(res);
    }
  }

  function requireObject({ res, principal, path }: DavRequest, scope: ApiKeyScope): ObjectPath {
    requireUserOrKey(principal, scope);
    if (path.kind !== "object") throw notAllowed(res);
    return path;
  }

  /** Yields to the event loop in between: there may be tens of megabytes. */
  async function sendMultistatus(res: Response, document: readonly Xml[]): Promise<void> {
    const pieces: Buffer[] = [];
    await inSlices(document, (piece) => {
      // What others have written has no such element: it is escaped.
      pieces.push(Buffer.from(piece.replaceAll("<d:href>/caldav/", `<d:href>${basePath}/caldav/`)));
    });
    const bytes = Buffer.concat(pieces);
    if (largeResponses.hold(res, bytes.length)) sendXml(res, MULTI_STATUS, bytes);
  }

  return (req, res) => {
    void handle(req, res).catch((error: unknown) => {
      reportError(error, req);
      if (res.headersSent) res.destroy();
      else sendDavError(res, error);
    });
  };
}

/** Without the header, only what is at the URL. */
function depthOf(req: Request): "0" | "1" {
  const depth = req.headers["depth"] ?? "0";
  if (depth === "0" || depth === "1") return depth;
  throw new DavError(403, "d:propfind-finite-depth", "Ask with a Depth of 0 or 1.");
}

function notAllowed(res: Response): DavError {
  res.setHeader("Allow", METHODS);
  return new DavError(405, null, `This URL only supports ${METHODS}.`);
}
