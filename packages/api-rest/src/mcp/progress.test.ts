import { expect, test } from "vitest";
import { progressTokenOf } from "./progress.ts";

const tokenOf = (progressToken: unknown) => progressTokenOf({ name: "agents_ask", _meta: { progressToken } });

test("progress is reported under a token that is short enough to be sent with every report", () => {
  expect([tokenOf("a"), tokenOf(7), tokenOf("a".repeat(255))]).toEqual(["a", 7, "a".repeat(255)]);
  expect(tokenOf("a".repeat(256))).toBeUndefined();
  expect(tokenOf({})).toBeUndefined();
});
