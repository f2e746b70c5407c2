import { expect, test } from "vitest";
import { createWorkspaceTools } from "./models/tools/workspace-tools.ts";
import { appRouter, capabilities } from "./router.ts";

const tools = createWorkspaceTools(capabilities, () => {
  throw new Error("Nothing is called here.");
});

test("the text that a tool returns counts as written by others, except for tools that only repeat the call", () => {
  const echoing = tools.filter(({ bringsText }) => !bringsText);
  expect(echoing.map(({ name }) => name)).toEqual([
    "fs_write",
    "fs_rename",
    "fs_delete",
    "memory_store",
    "memory_delete",
    "notes_edit",
    "notes_append",
    "notes_today",
  ]);
});

test("a scope that is named after reading permits nothing else", () => {
  const permitted = capabilities.filter(({ v1 }) => v1?.access.key.some((scope) => scope.endsWith(":read")));
  expect(new Set(permitted.map(({ effect }) => effect))).toEqual(new Set(["reads"]));
});

test("tools that delete or replace content name their target", () => {
  const unnamed = tools.filter(({ effect, inspect }) => effect === "destroys" && inspect === undefined);
  // A memory has no name; the approval request shows the call.
  expect(unnamed.map(({ name }) => name)).toEqual(["memory_delete"]);
});

test("every tool describes its input as an object, and its purpose in sentences", () => {
  for (const { name, parameters, description, allows } of tools) {
    expect([name, parameters]).toEqual([name, expect.objectContaining({ type: "object" })]);
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(allows).toMatch(/^[A-Z].*\.$/);
  }
});

test("an operation has one name, which typed clients use too", () => {
  expect(capabilities.find(({ name }) => name === "tasks.list")?.api).toBe(appRouter.tasks.list.capability.api);
  expect(new Set(capabilities.map(({ toolName }) => toolName)).size).toBe(capabilities.length);
});

test("no two operations of an API have the same address", () => {
  for (const surface of ["api", "v1"] as const) {
    const addresses = capabilities.flatMap(({ [surface]: operation }) =>
      operation?.route === undefined ? [] : [`${operation.route.method} ${operation.route.path}`],
    );
    expect(new Set(addresses).size).toBe(addresses.length);
  }
});
