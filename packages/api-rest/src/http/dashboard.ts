import type { RequestHandler } from "express";
import sirv from "sirv";

const ONE_YEAR_S = 365 * 24 * 60 * 60;

/**
 * Serves the built dashboard: hashed files for good, the page itself never from a cache, both compressed beforehand. Any
 * path that names no file is a page of the dashboard.
 */
export function createDashboard(webDir: string): RequestHandler {
  return sirv(webDir, {
    single: true,
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
}
