import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Request, RequestHandler, Response } from "express";
import sirv from "sirv";

const ONE_YEAR_S = 365 * 24 * 60 * 60;

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
 * Any other path is 404, for clients that accept HTML with the dashboard, which shows that there is no such page.
 */
export function createDashboard(webDir: string): RequestHandler {
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

  const sendNotFoundPage = async (res: Response): Promise<void> => {
    const page = await readFile(join(webDir, "index.html"));
    res.writeHead(404, {
      "Content-Type": "text/html;charset=utf-8",
      "Content-Length": page.byteLength,
      "Cache-Control": "no-cache",
    });
    res.end(page);
  };

  return (req, res, next) => {
    if (PAGES.some((pattern) => pattern.test(req.path))) req.url = "/";
    // Here, so that responses without content (304) have them, too: browsers update what they have stored by these.
    if (DIAGRAM_PAGE.test(req.path)) {
      res.setHeader("Content-Security-Policy", DIAGRAM_POLICY);
      res.setHeader("X-Frame-Options", "SAMEORIGIN");
    }
    // A page without an origin loads even its own scripts as from elsewhere.
    if (req.path.startsWith("/assets/")) res.setHeader("Access-Control-Allow-Origin", "*");
    serveFile(req, res, () => {
      if (!acceptsHtml(req)) next();
      else sendNotFoundPage(res).catch(next);
    });
  };
}

function acceptsHtml({ headers }: Request): boolean {
  return /\btext\/html\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.accept ?? "");
}
