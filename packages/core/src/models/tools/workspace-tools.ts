import type { NamedCapability } from "../../platform/procedures/capability.ts";
import type { Context } from "../../platform/procedures/trpc.ts";
import { toJsonSchema } from "./tool-input.ts";
import type { Tool, ToolScope } from "./toolbox.ts";

/**
 * The tools of agents and chat: the procedures declared as tools, called on behalf of a user, so that a tool can do no more
 * than that user can.
 */
export function createWorkspaceTools<Services>(
  capabilities: readonly NamedCapability<Services>[],
  createContext: (scope: ToolScope) => Context<Services>,
): Tool[] {
  return capabilities.flatMap(({ toolName, effect, toolDescription, modelTool }) => {
    if (toolDescription === undefined || modelTool === undefined) return [];
    const { allows, bringsText, input, inspect, call } = modelTool;
    return [
      {
        name: toolName,
        description: toolDescription,
        allows,
        effect,
        bringsText,
        parameters: toJsonSchema(input),
        ...(inspect !== undefined && { inspect: (given, scope) => inspect(createContext(scope), given) }),
        run: (given, scope) => call(createContext(scope), given),
      } satisfies Tool,
    ];
  });
}
