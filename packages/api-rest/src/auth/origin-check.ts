import { ForbiddenError } from "@workspace/core";

/** Which pages may send requests that change something. */
export interface OriginPolicy {
  /** The addresses under which this server's own pages are reached. */
  readonly ownOrigins: ReadonlySet<string>;
  /** Pages elsewhere that the configuration allows. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** Whether a page is taken for our own when its origin is the host that the request was sent to. */
  readonly trustsHostHeader: boolean;
}

interface OriginHeaders {
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
  readonly "sec-fetch-site"?: string | string[] | undefined;
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a state-changing request that a browser sent for a page elsewhere, whatever credentials it carries. A request
 * with neither `Origin` nor `Sec-Fetch-Site` comes from no browser and passes. Throws {@link ForbiddenError}.
 */
export function assertSameOrigin(method: string | undefined, headers: OriginHeaders, policy: OriginPolicy): void {
  if (method === undefined || SAFE_METHODS.has(method)) return;
  if (!isFromOwnPage(headers, policy)) throw new ForbiddenError("Requests from pages of other sites are refused.");
}

/** Whether the headers say that the request comes from one of our own or the allowed pages, or from no page at all. */
export function isFromOwnPage(headers: OriginHeaders, policy: OriginPolicy): boolean {
  const { origin, host } = headers;
  if (origin !== undefined && policy.allowedOrigins.has(origin)) return true;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return true;
  return policy.ownOrigins.has(origin) || (policy.trustsHostHeader && isHost(origin, host));
}

function isHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}
