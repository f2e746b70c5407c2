import { describe, expect, test } from "vitest";
import { hasMoreValues } from "./json-size.ts";

const MIB = 1024 * 1024;

describe("the number of values", () => {
  test.each([
    ["1", 1],
    ['"[,{"', 1],
    ["[]", 2],
    ["[1, 2, 3]", 4],
    [String.raw`{"a": "\",[", "b\\": {"c": [1, 2]}}`, 6],
    [String.raw`["\\", ","]`, 3],
  ])("of %s is %i", (json, count) => {
    expect(hasMoreValues(Buffer.from(json), count)).toBe(false);
    expect(hasMoreValues(Buffer.from(json), count - 1)).toBe(count > 1);
  });

  test.each(['{"a":0,', "[", "0,", "[0,[", "{"])("is too large for %j repeated, and known at once", (piece) => {
    const json = Buffer.from(piece.repeat((32 * MIB) / piece.length));
    const before = process.cpuUsage();
    expect(hasMoreValues(json, 100_000)).toBe(true);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });

  test.each(["a", ",", '\\"', "[\\n"])("is one for a long text of %j", (piece) => {
    expect(hasMoreValues(Buffer.from(`"${piece.repeat((32 * MIB) / piece.length)}"`), 1)).toBe(false);
  });
});
