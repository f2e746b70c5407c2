import type { CalendarFeedService, Clock, WrittenFeed } from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import { clientAddressOf } from "../auth/client-address.ts";
import { createSecretLookup } from "../auth/secret-lookup.ts";
import type { LargeResponses } from "../http/large-responses.ts";
import { matchesNone } from "../rest/entity-tag.ts";
import { splitUrl } from "../rest/percent-encoding.ts";

export interface FeedRouteOptions {
  readonly calendarFeeds: Pick<CalendarFeedService, "open" | "read">;
  readonly largeResponses: LargeResponses;
  /** The URL of the dashboard, to which feeds link. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly trustsProxy: boolean;
}

const FEED_PATH = /^\/feeds\/([^/]{1,200})\.ics$/;

/**
 * `/feeds/<secret>.ics`: tasks for calendar programs. A wrong secret is not distinguished from a URL at which there is nothing,
 * and takes the same time as a right one until it is found.
 */
export function createFeedRoute(options: FeedRouteOptions): RequestHandler {
  const { calendarFeeds, largeResponses, baseUrl, clock, trustsProxy } = options;
  const findFeed = createSecretLookup(clock, calendarFeeds.open);

  return async (req, res, next) => {
    const [path] = splitUrl(req.originalUrl);
    const secret = FEED_PATH.exec(path)?.[1];
    if (secret === undefined || (req.method !== "GET" && req.method !== "HEAD")) return next();
    const feed = await findFeed({ address: clientAddressOf(req, trustsProxy), account: secret, secret });
    if (feed === null) return next();
    send(req, res, await calendarFeeds.read(feed, baseUrl));
  };

  function send(req: Request, res: Response, feed: WrittenFeed): void {
    const entityTag = `"${feed.tag}"`;
    res.setHeader("ETag", entityTag);
    res.setHeader("Cache-Control", "private, no-cache");
    res.setHeader("X-Robots-Tag", "noindex");
    const modified = lastModifiedOf(feed, clock.now());
    if (modified !== null) res.setHeader("Last-Modified", modified);
    if (isKnown(req, entityTag, modified)) {
      res.writeHead(304);
      res.end();
      return;
    }
    const bytes = Buffer.from(feed.text);
    if (!largeResponses.hold(res, bytes.length)) return;
    res.writeHead(200, {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'inline; filename="tasks.ics"',
      "Content-Length": bytes.length,
    });
    res.end(req.method === "HEAD" ? undefined : bytes);
  }
}

/** Null within the second in which it was written, as another text may be written in the same second. */
function lastModifiedOf({ writtenAt }: WrittenFeed, now: Date): string | null {
  return now.getTime() - writtenAt.getTime() < 1000 ? null : writtenAt.toUTCString();
}

function isKnown(req: Request, entityTag: string, modified: string | null): boolean {
  const tags = req.headers["if-none-match"];
  if (tags !== undefined) return matchesNone(tags, entityTag);
  const since = Date.parse(req.headers["if-modified-since"] ?? "");
  return modified !== null && !Number.isNaN(since) && Date.parse(modified) <= since;
}
