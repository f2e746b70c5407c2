import type { OutgoingHttpHeaders } from "node:http";
import type { RequestHandler } from "express";

/**
 * The dashboard's pages run no code but their own and talk to nobody but this server. `'self'` includes the WebSocket in all
 * browsers that the dashboard is built for.
 */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** What is not a page runs and loads nothing, even where a browser is made to show it. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

const ONE_YEAR_S = 365 * 24 * 60 * 60;

/** The headers of every response, for a server that is reached at `baseUrl`. */
export function securityHeadersFor(baseUrl: string): Readonly<OutgoingHttpHeaders> {
  return {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": DATA_POLICY,
    ...(baseUrl.startsWith("https:") && { "Strict-Transport-Security": `max-age=${ONE_YEAR_S}` }),
  };
}

/** Sets headers that whatever answers the request may replace. */
export function setHeaders(headers: Readonly<OutgoingHttpHeaders>): RequestHandler {
  const entries = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return (_req, res, next) => {
    for (const { name, value } of entries) res.setHeader(name, value);
    next();
  };
}

/** For pages, beside {@link securityHeadersFor}. */
export const pageSecurityHeaders: RequestHandler = setHeaders({
  "Content-Security-Policy": PAGE_POLICY,
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
});
