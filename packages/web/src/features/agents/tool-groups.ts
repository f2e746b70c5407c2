import type { AgentTool } from "./agent.ts";

/** Which tools an agent gets: the read-only ones, those listed, or, for null, all. */
export type ToolChoice = "reading" | readonly string[] | null;

const GROUP_TITLES: Readonly<Record<AgentTool["effect"], string>> = {
  reads: "Read",
  writes: "Add and change, without losing anything",
  destroys: "Delete and overwrite",
  reaches_outside: "Reach other services",
};
const EFFECTS = ["reads", "writes", "destroys", "reaches_outside"] as const;

export interface ToolGroup {
  readonly title: string;
  readonly tools: readonly AgentTool[];
}

/** Groups tools by effect, the harmless ones first. */
export function groupTools(tools: readonly AgentTool[]): ToolGroup[] {
  return EFFECTS.map((effect) => ({
    title: GROUP_TITLES[effect],
    tools: tools.filter((tool) => tool.effect === effect),
  })).filter((group) => group.tools.length > 0);
}

/**
 * A choice as an explicit list. A person must tick every tool that does more than read, so "all" starts with the read-only
 * tools too.
 */
export function toolsOfChoice(choice: ToolChoice, known: readonly AgentTool[]): readonly string[] {
  if (choice !== "reading" && choice !== null) return choice;
  return known.filter(({ effect }) => effect === "reads").map(({ name }) => name);
}
