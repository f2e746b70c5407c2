import * as z from "zod";
import { InvalidInputError } from "../../platform/errors.ts";
import { createCursors, invalidCursor, toPage, type Page, type Paging } from "../../platform/paging.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { AgentTool } from "./agent.schema.ts";

const cursors = createCursors("agent-tools", z.tuple([z.string()]));

/** The tools that people can give to agents. */
export function createAgentTools(toolbox: Toolbox) {
  return {
    /** Returns a tool's current name for a current or former one. Throws {@link InvalidInputError} if there is no such tool. */
    resolveName(name: string): string {
      const tool = toolbox.find(name);
      if (tool !== undefined) return tool.name;
      const known = toolbox.tools.map((other) => other.name);
      throw InvalidInputError.at("tools", `${name} is not a tool; there are ${known.join(", ")}`);
    },

    /** The tools of an agent for which nobody has chosen any: those that only read. */
    defaultNames(): string[] {
      return toolbox.tools.flatMap(({ name, effect, isOptIn }) =>
        effect === "reads" && isOptIn !== true ? [name] : [],
      );
    },

    list({ limit, cursor }: Paging = {}): Page<AgentTool> {
      const tools = toolbox.tools.map(({ name, description, effect, allows }) => ({
        name,
        description,
        effect,
        allows,
      }));
      const [after] = cursors.read(cursor) ?? [];
      const start = after === undefined ? 0 : tools.findIndex(({ name }) => name === after) + 1;
      if (after !== undefined && start === 0) throw invalidCursor();
      return toPage(tools.slice(start), limit, ({ name }) => cursors.write([name]));
    },
  };
}
