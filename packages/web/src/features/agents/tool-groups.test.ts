import { expect, it } from "vitest";
import type { AgentTool } from "./agent.ts";
import { groupTools, toolsOfChoice } from "./tool-groups.ts";

const tool = (name: string, effect: AgentTool["effect"]): AgentTool => ({ name, effect, description: "", allows: "" });
const TOOLS = [
  tool("http_request", "reaches_outside"),
  tool("fs_delete", "destroys"),
  tool("fs_read", "reads"),
  tool("tasks_create", "writes"),
];

it("preselects only read-only tools", () => {
  expect(toolsOfChoice("reading", TOOLS)).toEqual(["fs_read"]);
  expect(toolsOfChoice(null, TOOLS)).toEqual(["fs_read"]);
  expect(toolsOfChoice(["fs_delete"], TOOLS)).toEqual(["fs_delete"]);
});

it("groups tools by effect, the harmless ones first, and omits empty groups", () => {
  const names = (tools: readonly AgentTool[]) => groupTools(tools).map((group) => group.tools.map(({ name }) => name));
  expect(names(TOOLS)).toEqual([["fs_read"], ["tasks_create"], ["fs_delete"], ["http_request"]]);
  expect(names(TOOLS.slice(2))).toEqual([["fs_read"], ["tasks_create"]]);
});
