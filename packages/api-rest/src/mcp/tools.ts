import type { ApiKeyScope, Effect, NamedCapability, ProcedureCall, Services } from "@workspace/core";
import * as z from "zod";

/** The description of a tool for an assistant, in the protocol's format. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** A procedure as a tool. */
export interface WorkspaceTool {
  readonly description: ToolDescription;
  /** The scopes of which a key needs one for the tool to be listed and called. */
  readonly scopes: readonly ApiKeyScope[];
  /** The names of its arguments; others are refused. */
  readonly parameters: readonly string[];
  readonly call: ProcedureCall<Services>;
}

const objectSchema = z.looseObject({ type: z.literal("object") });

/** The tools of programs: the procedures of `/api/v1` that have a description for models. */
export function collectTools(capabilities: readonly NamedCapability<Services>[]): WorkspaceTool[] {
  return capabilities.flatMap(({ toolName, effect, v1, toolDescription }) => {
    if (v1 === undefined || toolDescription === undefined) return [];
    const description = {
      name: toolName,
      description: toolDescription,
      inputSchema: toInputSchema(v1.tool.input),
      annotations: toAnnotations(effect),
    };
    const { input, call } = v1.tool;
    const parameters = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
    return [{ description, scopes: v1.access.key, parameters, call }];
  });
}

function toAnnotations(effect: Effect): ToolDescription["annotations"] {
  return {
    readOnlyHint: effect === "reads",
    destructiveHint: effect === "destroys" || effect === "reaches_outside",
    openWorldHint: effect === "reaches_outside",
  };
}

function toInputSchema(input: z.ZodType | undefined): ToolDescription["inputSchema"] {
  if (input === undefined) return { type: "object", properties: {}, additionalProperties: false };
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return objectSchema.parse({ ...schema, additionalProperties: false });
}
