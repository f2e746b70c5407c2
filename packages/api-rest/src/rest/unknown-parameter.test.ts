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
])("%j is told that %s was probably meant", (name, nearest) => {
  expect(unknownParameter(name, known).message).toBe(`Unknown parameter "${name}". Did you mean "${nearest}"?`);
});

test.each(["utm_source", "_", "", "q", "constructor"])("%j is told the known ones, as it is close to none", (name) => {
  expect(unknownParameter(name, known).message).toBe(
    `Unknown parameter "${name}". Known ones are includeDeleted, status, projectId, search, limit, cursor.`,
  );
});

test("an address without parameters says so", () => {
  expect(unknownParameter("limit", []).message).toBe('Unknown parameter "limit". This address takes none.');
});

test("a long name is cut short, between characters", () => {
  const { message } = unknownParameter("😀".repeat(100_000), known);
  expect(message).toContain(`"${"😀".repeat(64)}"`);
});
