import { expect, test } from "vitest";
import * as z from "zod";
import { describeIssues } from "./validation-message.ts";

const schema = z.object({
  name: z.string().min(2).max(5).optional(),
  count: z.number().int().min(1).max(10).optional(),
  tags: z.array(z.string()).max(1).optional(),
  kind: z.enum(["a", "b"]).optional(),
  own: z.string().min(3, "must be long").optional(),
  needed: z.string(),
});

test.each<[object, string]>([
  [{ needed: "x", name: "a" }, "name: expected at least 2 characters"],
  [{ needed: "x", name: "abcdef" }, "name: expected at most 5 characters"],
  [{ needed: "x", count: 11 }, "count: expected at most 10"],
  [{ needed: "x", count: "5" }, "count: expected a number"],
  [{ needed: "x", tags: ["a", "b"] }, "tags: expected at most 1 items"],
  [{ needed: "x", kind: "c" }, "kind: expected one of a, b"],
  [{ needed: "x", own: "a" }, "own: must be long"],
  [{}, "needed: is required"],
  [{ needed: null }, "needed: expected a string"],
])("%j is told: %s", (input, expected) => {
  const issues = describeIssues(schema.safeParse(input).error?.issues ?? []);
  expect(issues.map(({ path, message }) => `${path}: ${message}`)).toEqual([expected]);
});
