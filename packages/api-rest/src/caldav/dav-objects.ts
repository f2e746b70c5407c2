import { authorOf, NotFoundError, type ApiKeyPrincipal, type CalendarObjectService } from "@workspace/core";
import type { Request, Response } from "express";
import type { LargeResponses } from "../http/large-responses.ts";
import { originOf } from "../http/request-origin.ts";
import { isCreateOnly, matchesNone, readIfMatch } from "../rest/entity-tag.ts";
import { readText } from "./dav-body.ts";
import { DavError } from "./dav-error.ts";
import type { DavPath } from "./dav-path.ts";

/** A request that was authenticated, about something that can be at its URL. */
export interface DavRequest {
  readonly req: Request;
  readonly res: Response;
  readonly principal: ApiKeyPrincipal;
  readonly path: DavPath;
}

export type ObjectPath = Extract<DavPath, { kind: "object" }>;

/** What calendar programs know of tasks. */
const CALENDAR_TYPE = /^\s*text\/calendar\s*(?:;|$)/i;

export interface ObjectHandlersOptions {
  readonly calendarObjects: CalendarObjectService;
  readonly largeResponses: LargeResponses;
}

/** What can be done with a single task. */
export function createObjectHandlers({ calendarObjects: objects, largeResponses }: ObjectHandlersOptions) {
  return {
    async get({ req, res }: DavRequest, { collectionId, name }: ObjectPath): Promise<void> {
      const [object] = await objects.read(collectionId, [name]);
      if (object === undefined) throw new NotFoundError("There is no such task.");
      const entityTag = `"${object.tag}"`;
      res.setHeader("ETag", entityTag);
      res.setHeader("Cache-Control", "no-cache");
      if (matchesNone(req.headers["if-none-match"], entityTag)) {
        res.writeHead(304);
        res.end();
        return;
      }
      const bytes = Buffer.from(object.text);
      if (!largeResponses.hold(res, bytes.length)) return;
      res.writeHead(200, {
        "Content-Type": "text/calendar; charset=utf-8; component=VTODO",
        "Content-Length": bytes.length,
        "Last-Modified": new Date(object.modifiedAt).toUTCString(),
      });
      res.end(req.method === "HEAD" ? undefined : bytes);
    },

    async put({ req, res, principal }: DavRequest, { collectionId, name }: ObjectPath): Promise<void> {
      await objects.getCollection(collectionId);
      const type = req.headers["content-type"];
      if (type !== undefined && !CALENDAR_TYPE.test(type))
        throw new DavError(403, "c:supported-calendar-data", "Send a task as text/calendar.");
      const text = await readText(req, res);
      const author = authorOf({ principal, origin: originOf(req, "http") });
      const createOnly = isCreateOnly(req.headers["if-none-match"]);
      const written = await objects.put({ collectionId, name, text, createOnly, ...conditionOf(req) }, author);
      if (written.tag !== null) res.setHeader("ETag", `"${written.tag}"`);
      res.writeHead(written.isNew ? 201 : 204);
      res.end();
    },

    async delete({ req, res, principal }: DavRequest, { collectionId, name }: ObjectPath): Promise<void> {
      const author = authorOf({ principal, origin: originOf(req, "http") });
      await objects.delete({ collectionId, name, ...conditionOf(req) }, author);
      res.writeHead(204);
      res.end();
    },
  };
}

/** Which tags an object may have, by `If-Match`. */
function conditionOf(req: Request): { accepts?: (tag: string) => boolean } {
  const tags = readIfMatch(req.headers["if-match"])?.split(",");
  return tags === undefined ? {} : { accepts: (tag) => tags.includes("*") || tags.includes(tag) };
}
