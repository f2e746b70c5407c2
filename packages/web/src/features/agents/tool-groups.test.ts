import { expect, it } from "vitest";
import type { AgentTool } from "./agent.ts";
import { groupTools, toolsOfChoice } from "./tool-groups.ts";

const tool = (name: string, effect: AgentTool["effect"]): AgentTool => ({ name, effect, description: "", allows: "" });
const KNOWN = [
  tool("http_request", "reaches_outside"),
  tool("delete_file", "destroys"),
  tool("read_file", "reads"),
  tool("create_task", "writes"),
];

it("ticks no tool by itself that does more than read", () => {
  expect(toolsOfChoice("reading", KNOWN)).toEqual(["read_file"]);
  expect(toolsOfChoice(null, KNOWN)).toEqual(["read_file"]);
  expect(toolsOfChoice(["delete_file"], KNOWN)).toEqual(["delete_file"]);
});

it("groups tools by what they do, the harmless ones first, and shows no empty group", () => {
  const names = (tools: readonly AgentTool[]) => groupTools(tools).map((group) => group.tools.map(({ name }) => name));
  expect(names(KNOWN)).toEqual([["read_file"], ["create_task"], ["delete_file"], ["http_request"]]);
  expect(names(KNOWN.slice(2))).toEqual([["read_file"], ["create_task"]]);
});
