import { ForbiddenError } from "@workspace/core";

/** The sites whose pages may send state-changing requests. */
export interface OriginPolicy {
  /** The origins of this server's own pages. */
  readonly ownOrigins: ReadonlySet<string>;
  /** Other origins that the configuration allows. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** Whether a page counts as our own if its origin is the host to which the request was sent. */
  readonly trustsHostHeader: boolean;
}

interface OriginHeaders {
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
  readonly "sec-fetch-site"?: string | string[] | undefined;
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a state-changing request that a browser sent for another site's page, regardless of its credentials. A request with
 * neither `Origin` nor `Sec-Fetch-Site` does not come from a browser and passes. Throws {@link ForbiddenError}.
 */
export function assertSameOrigin(method: string | undefined, headers: OriginHeaders, policy: OriginPolicy): void {
  if (method === undefined || SAFE_METHODS.has(method)) return;
  if (!isFromOwnPage(headers, policy)) throw new ForbiddenError("Requests from pages of other sites are refused.");
}

/** Whether the request comes from a page of ours or of an allowed origin, or from no page at all, by its headers. */
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
