import { expect, test } from "vitest";
import { addressBlockOf } from "./address-block.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:0207", "192.0.2.7"],
  ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8::", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
])("%s is counted as %s", (address, block) => {
  expect(addressBlockOf(address)).toBe(block);
});

test("every spelling of every address of a /64 is counted as one, and those of another as another", () => {
  const spellings = (groups: readonly number[]) => {
    const short = groups.map((group) => group.toString(16)).join(":");
    const long = groups.map((group) => group.toString(16).padStart(4, "0").toUpperCase()).join(":");
    // As in a URL: with the longest run of zeros omitted.
    return [short, long, new URL(`http://[${short}]`).hostname.slice(1, -1), `${short}%eth0`];
  };
  const prefixes = [0, 1, 0xabcd].flatMap((b) => [0, 0xf].flatMap((c) => [0, 0xffff].map((d) => [0x2001, b, c, d])));
  const hosts = [
    [0, 0, 0, 0],
    [0, 0, 0, 1],
    [1, 0, 0, 0],
    [0, 2, 0, 3],
    [0xffff, 0xffff, 0xffff, 0xffff],
  ];
  const blocks = prefixes.map(
    (prefix) => new Set(hosts.flatMap((host) => spellings([...prefix, ...host]).map(addressBlockOf))),
  );
  expect(blocks.map(({ size }) => size)).toEqual(prefixes.map(() => 1));
  expect(new Set(blocks.flatMap((block) => [...block])).size).toBe(prefixes.length);
});
