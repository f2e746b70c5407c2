import { expect, test } from "vitest";
import { createWorkspaceTools } from "./models/tools/workspace-tools.ts";
import type { Effect } from "./platform/procedures/effect.ts";
import { appRouter, capabilities } from "./router.ts";

/** The tools of agents and chat. A tool that is not listed here, or does more than stated, fails the test below. */
const MODEL_TOOLS: Readonly<Record<string, readonly [Effect, "brings text" | "echoes"]>> = {
  tasks_list: ["reads", "brings text"],
  tasks_create: ["writes", "brings text"],
  tasks_tags: ["reads", "brings text"],
  tasks_get: ["reads", "brings text"],
  tasks_update: ["destroys", "brings text"],
  tasks_delete: ["destroys", "brings text"],
  tasks_restore: ["writes", "brings text"],
  projects_list: ["reads", "brings text"],
  projects_create: ["writes", "brings text"],
  projects_update: ["destroys", "brings text"],
  documents_search: ["reads", "brings text"],
  documents_restore: ["writes", "brings text"],
  fs_list: ["reads", "brings text"],
  fs_read: ["reads", "brings text"],
  fs_write: ["destroys", "echoes"],
  fs_rename: ["writes", "echoes"],
  fs_delete: ["destroys", "echoes"],
  memory_search: ["reads", "brings text"],
  memory_store: ["writes", "echoes"],
  memory_confirm: ["writes", "brings text"],
  memory_delete: ["destroys", "echoes"],
  session_search: ["reads", "brings text"],
  why: ["reads", "brings text"],
};

const tools = createWorkspaceTools(capabilities, () => {
  throw new Error("Nothing is called here.");
});

test("agents and chat have exactly the tools of the table, with their effects", () => {
  const described = tools.map(({ name, effect, bringsText }) => [
    name,
    [effect, bringsText ? "brings text" : "echoes"],
  ]);
  expect(Object.fromEntries(described)).toEqual(MODEL_TOOLS);
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
