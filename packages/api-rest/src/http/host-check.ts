import type { IncomingMessage } from "node:http";
import { DomainError, InvalidInputError } from "@workspace/core";

/** A request for a host that this server does not answer for. */
export class MisdirectedRequestError extends DomainError {
  readonly status = 421;
}

/** Refuses a request by its `Host` header. Throws {@link InvalidInputError} or {@link MisdirectedRequestError}. */
export type HostCheck = (req: Pick<IncomingMessage, "headers" | "rawHeaders">) => void;

/** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A check of `Host` headers. Without `allowedHosts`, any one well-formed host will do. With them, only those and this
 * machine's own names are answered: a page elsewhere whose name was rebound to this machine's address sends its own name,
 * and would otherwise be of the same origin as this server. Ports do not matter, since tunnels and proxies change them.
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
      "This server does not answer under this name. To use it under another name than localhost, set SERVICE_AUTH_URL or " +
        "ACCESS_MODE.",
    );
  };
}

/** `headers` has only the first of them. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count > 1;
}
