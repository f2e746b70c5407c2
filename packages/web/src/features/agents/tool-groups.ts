import type { AgentTool } from "./agent.ts";

/** Which tools an agent is given: those that only read, those that are listed, or, for null, all. */
export type ToolChoice = "reading" | readonly string[] | null;

const TITLES: Readonly<Record<AgentTool["effect"], string>> = {
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

/** Tools by what they allow, the harmless ones first. */
export function groupTools(tools: readonly AgentTool[]): ToolGroup[] {
  return EFFECTS.map((effect) => ({
    title: TITLES[effect],
    tools: tools.filter((tool) => tool.effect === effect),
  })).filter((group) => group.tools.length > 0);
}

/** A choice as a list to go on from. Every further tool is for a person to tick, so "all" begins with those that read too. */
export function toolsOfChoice(choice: ToolChoice, known: readonly AgentTool[]): readonly string[] {
  if (choice !== "reading" && choice !== null) return choice;
  return known.filter(({ effect }) => effect === "reads").map(({ name }) => name);
}
