import { expect, test } from "vitest";
import { acceptedCoding } from "./accepted-coding.ts";

test.each([
  [undefined, null],
  ["", null],
  ["identity", null],
  ["gzip", "gzip"],
  ["GZip", "gzip"],
  ["gzip, deflate", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, identity", "gzip"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0, gzip;q=0", null],
  ["gzip;q=0.000", null],
  ["*", "br"],
  ["*;q=0", null],
  ["br;q=0, *", "gzip"],
  ["identity;q=0", null],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["identity, gzip;q=0.5", null],
  ["identity;q=0.5, gzip", "gzip"],
  ["deflate", null],
  ["sabre, gzipped", null],
  ["gzip;q=x", null],
])("%s selects %s", (header, coding) => {
  expect(acceptedCoding(header, ["br", "gzip"])).toBe(coding);
});

test("does not choose a coding that is not offered", () => {
  expect(acceptedCoding("br, gzip;q=0.1", ["gzip"])).toBe("gzip");
  expect(acceptedCoding("br", ["gzip"])).toBeNull();
});
