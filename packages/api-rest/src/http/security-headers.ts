import type { OutgoingHttpHeaders } from "node:http";
import type { RequestHandler } from "express";

/**
 * The dashboard's pages run no code but their own and only connect to this server. `'self'` includes the WebSocket in all
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

/** Responses that are not pages run and load nothing, even if a browser is made to show them. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

const ONE_YEAR_S = 365 * 24 * 60 * 60;

/** The headers of every response of a server with the public URL `baseUrl`. */
export function securityHeadersFor(baseUrl: string): Readonly<OutgoingHttpHeaders> {
  return {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": DATA_POLICY,
    ...(baseUrl.startsWith("https:") && { "Strict-Transport-Security": `max-age=${ONE_YEAR_S}` }),
  };
}

/** Sets headers, which later handlers may replace. */
export function setHeaders(headers: Readonly<OutgoingHttpHeaders>): RequestHandler {
  const entries = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return (_req, res, next) => {
    for (const { name, value } of entries) res.setHeader(name, value);
    next();
  };
}

/** Additional headers for pages, on top of {@link securityHeadersFor}. */
export const pageSecurityHeaders: RequestHandler = setHeaders({
  "Content-Security-Policy": PAGE_POLICY,
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
});
