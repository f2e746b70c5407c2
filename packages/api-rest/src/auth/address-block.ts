import { isIPv6 } from "node:net";

const GROUPS = 8;
/** The groups of an IPv4 address that is written as an IPv6 one: `::ffff:192.0.2.1`. */
const MAPPED_PREFIX = "0:0:0:0:0:ffff";

/**
 * What stands for the caller where attempts or connections are counted by address: an IPv4 address itself, and of an IPv6
 * address its first 64 bits. A provider hands out no less than those to one customer, who is free to choose the rest anew for
 * every connection.
 */
export function addressBlockOf(address: string): string {
  const [withoutZone = ""] = address.split("%");
  if (!isIPv6(withoutZone)) return address;
  const groups = expand(withoutZone);
  if (groups.slice(0, 6).join(":") === MAPPED_PREFIX) return toIPv4(groups);
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** All eight groups of a valid IPv6 address, in lower case and without leading zeros. */
function expand(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const before = toGroups(head);
  const after = toGroups(tail ?? "");
  const omitted = Array.from({ length: GROUPS - before.length - after.length }, () => "0");
  return [...before, ...(tail === undefined ? [] : omitted), ...after];
}

function toGroups(part: string): string[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16).toString(16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  });
}

function toIPv4(groups: readonly string[]): string {
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join(".");
}
