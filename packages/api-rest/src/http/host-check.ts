import type { IncomingMessage } from "node:http";
import { DomainError, InvalidInputError } from "@workspace/core";

/** A request for a host that this server does not serve. */
export class MisdirectedRequestError extends DomainError {
  readonly status = 421;
}

/** Refuses a request by its `Host` header. Throws {@link InvalidInputError} or {@link MisdirectedRequestError}. */
export type HostCheck = (req: Pick<IncomingMessage, "headers" | "rawHeaders">) => void;

/** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A check of `Host` headers. Without `allowedHosts`, any single well-formed host is accepted; otherwise only those and this
 * machine's own names. This prevents DNS rebinding: a page whose name now resolves to this machine's address sends that name,
 * and would otherwise have the same origin as this server. Ports do not matter, since tunnels and proxies change them.
 */
export function createHostCheck(allowedHosts: ReadonlySet<string> | null): HostCheck {
  return ({ headers, rawHeaders }) => {
    const { host } = headers;
    if (host === undefined && allowedHosts === null) return;
    const name = HOST.exec(host ?? "")?.[1]?.toLowerCase();
    if (name === undefined || hasSeveralHosts(rawHeaders)) {
      throw new InvalidInputError("The request must have exactly one valid Host header.");
    }
    if (allowedHosts === null || LOOPBACK.test(name) || allowedHosts.has(name)) return;
    throw new MisdirectedRequestError(
      "This server does not serve this host name. To use a name other than localhost, set SERVICE_AUTH_URL or " +
        "ACCESS_MODE.",
    );
  };
}

/** `headers` only contains the first of them. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count > 1;
}
