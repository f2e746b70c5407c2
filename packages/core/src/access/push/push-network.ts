import { lookup as lookUp, type LookupAddress } from "node:dns";
import { Agent } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { InvalidInputError } from "../../platform/errors.ts";

/** Why a name is not connected to. */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
}

/**
 * Throws {@link InvalidInputError} unless a URL can be that of a push service. A client has given it, and this server sends requests
 * to it: they must not reach anything that is not public. What its name stands for is checked when connecting.
 */
export function assertPushEndpoint(endpoint: string): void {
  const problem = problemOf(endpoint);
  if (problem !== null) throw InvalidInputError.at("endpoint", problem);
}

function problemOf(endpoint: string): string | null {
  if (!URL.canParse(endpoint)) return "expected a URL";
  const { protocol, username, password, hostname } = new URL(endpoint);
  if (protocol !== "https:") return "must begin with https:";
  if (username !== "" || password !== "") return "must not contain a user or password";
  // Brackets enclose an IPv6 address. A name without a dot is one of the local network.
  const isName = isIP(hostname) === 0 && !hostname.startsWith("[") && /\.[^.]/.test(hostname);
  return isName ? null : "must name a public host";
}

/** Connects to public addresses only, whatever a name stands for by then. */
export function createPublicAgent(): Agent {
  return new Agent({ lookup: lookUpPublic, keepAlive: true, maxSockets: 8, timeout: 10_000 });
}

/** Looks up a name, and fails with {@link PrivateAddressError} if any of its addresses is not public. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "");
    const [first] = addresses;
    const isPublic = first !== undefined && addresses.every(({ address }) => isPublicAddress(address));
    if (!isPublic) return callback(new PrivateAddressError(`${hostname} is not a public host.`), "");
    if (options.all === true) callback(null, addresses satisfies LookupAddress[]);
    else callback(null, first.address, first.family);
  });
};

/** Whether an address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4-mapped IPv6 address counts as the IPv4 address.
  return ipaddr.process(address).range() === "unicast";
}
