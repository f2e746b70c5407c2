import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Request, RequestHandler, Response } from "express";
import sirv from "sirv";
import { matchesNone } from "../rest/entity-tag.ts";
import { addBasePath } from "./base-path.ts";

const ONE_YEAR_S = 365 * 24 * 60 * 60;

const PAGE_FILE = /^\/(?:index(?:\.html)?)?$/;
const DIAGRAM_PAGE = /^\/diagram(?:\.html)?$/;
/**
 * The page that draws diagrams, in a frame of the dashboard or of a shared page. It has no origin of its own: it runs our code on
 * texts of strangers, and can reach nothing.
 */
const DIAGRAM_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-scripts",
].join("; ");

/** The paths of the dashboard's pages, as in its `routes/route-tree.ts` and `resources/resources.ts`. */
const PAGES = [
  /^\/(sign-in|sign-up|forgot-password|reset-password|authorize|tasks|views|chat|documents|projects|memory|agents|hooks|approvals|usage|secrets|connect|deleted|settings)?\/?$/i,
  /^\/(tasks|documents|projects|memory|agents|views|hooks\/sessions)\/[^/]+\/?$/i,
];

/**
 * Serves the built dashboard, compressed at build time: hashed files are cached for good, the page itself is always revalidated.
 * Any other path is 404, for clients that accept HTML with the dashboard, which shows that there is no such page. The page refers to
 * files by their whole paths, since it has many URLs; below a base path, it is sent with that.
 */
export function createDashboard(webDir: string, basePath: string): RequestHandler {
  const serveFile = sirv(webDir, {
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders: (res, path) => {
      res.setHeader(
        "Cache-Control",
        path.startsWith("/assets/") ? `public, max-age=${ONE_YEAR_S}, immutable` : "no-cache",
      );
    },
  });

  const sendPage = async (req: Request, res: Response, status: 200 | 404): Promise<void> => {
    const page = addBasePath(await readFile(join(webDir, "index.html"), "utf8"), basePath);
    const entityTag = `W/"${createHash("sha256").update(page).digest("base64url")}"`;
    const isKnown = status === 200 && matchesNone(req.headers["if-none-match"], entityTag);
    res.writeHead(isKnown ? 304 : status, {
      ...(!isKnown && { "Content-Type": "text/html;charset=utf-8", "Content-Length": Buffer.byteLength(page) }),
      ...(status === 200 && { ETag: entityTag }),
      "Cache-Control": "no-cache",
    });
    res.end(isKnown ? undefined : page);
  };

  return (req, res, next) => {
    if (PAGES.some((pattern) => pattern.test(req.path))) req.url = "/";
    if (basePath !== "" && PAGE_FILE.test(req.path)) {
      sendPage(req, res, 200).catch(next);
      return;
    }
    // Here, so that responses without content (304) have them, too: browsers update what they have stored by these.
    if (DIAGRAM_PAGE.test(req.path)) {
      res.setHeader("Content-Security-Policy", DIAGRAM_POLICY);
      res.setHeader("X-Frame-Options", "SAMEORIGIN");
    }
    // A page without an origin loads even its own scripts as from elsewhere.
    if (req.path.startsWith("/assets/")) res.setHeader("Access-Control-Allow-Origin", "*");
    serveFile(req, res, () => {
      if (!acceptsHtml(req)) next();
      else sendPage(req, res, 404).catch(next);
    });
  };
}

function acceptsHtml({ headers }: Request): boolean {
  return /\btext\/html\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.accept ?? "");
}
