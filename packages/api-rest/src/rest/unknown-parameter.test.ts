import { expect, test } from "vitest";
import { unknownParameter } from "./unknown-parameter.ts";

const known = ["includeDeleted", "status", "projectId", "search", "limit", "cursor"];

test.each([
  ["status[]", "status"],
  ["Status", "status"],
  ["project_id", "projectId"],
  ["PROJECT-ID", "projectId"],
  ["serach", "search"],
  ["limt", "limit"],
  ["includedelete", "includeDeleted"],
])("for %j, the error suggests %s", (name, nearest) => {
  expect(unknownParameter(name, known).message).toBe(`Unknown parameter "${name}". Did you mean "${nearest}"?`);
});

test.each(["utm_source", "_", "", "q", "constructor"])(
  "for %j, which is close to none, the error lists the known parameters",
  (name) => {
    expect(unknownParameter(name, known).message).toBe(
      `Unknown parameter "${name}". Known ones are includeDeleted, status, projectId, search, limit, cursor.`,
    );
  },
);

test("the error for a URL without parameters says so", () => {
  expect(unknownParameter("limit", []).message).toBe('Unknown parameter "limit". There are none.');
});

test("a long name is truncated between characters", () => {
  const { message } = unknownParameter("😀".repeat(100_000), known);
  expect(message).toContain(`"${"😀".repeat(64)}"`);
});
