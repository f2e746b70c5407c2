import ipaddr from "ipaddr.js";

/**
 * The key by which attempts and connections of a caller are counted: an IPv4 address itself, and the first 64 bits of an IPv6
 * address. Providers assign at least that much to one customer, who can choose the rest freely for every connection.
 */
export function addressBlockOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // An IPv4-mapped IPv6 address counts as the IPv4 address.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}
