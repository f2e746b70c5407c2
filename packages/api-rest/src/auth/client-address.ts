import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * The IP address that a request comes from: the socket's, or, behind a trusted proxy, the last one in `X-Forwarded-For`, which
 * is the only one that the proxy itself has added.
 */
export function clientAddressOf(req: IncomingMessage, trustsProxy: boolean): string {
  const forwarded = trustsProxy ? lastForwardedAddress(req.headers["x-forwarded-for"]) : undefined;
  return forwarded ?? req.socket.remoteAddress ?? "unknown";
}

/** Whether an address is one of this machine itself. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

function lastForwardedAddress(header: string | string[] | undefined): string | undefined {
  const last = [header].flat().join(",").split(",").at(-1)?.trim();
  return last !== undefined && isIP(last) !== 0 ? last : undefined;
}
