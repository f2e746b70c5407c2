import type { ApiKeyScope, Effect, NamedCapability, ProcedureCall, Services } from "@workspace/core";
import * as z from "zod";

/** The description of a tool for an assistant, in the protocol's format. */
export interface ToolDescription {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  /** Of `structuredContent`; undefined if results only have text. */
  readonly outputSchema?: ToolDescription["inputSchema"];
  readonly annotations: {
    readonly title: string;
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

/** Their results are whole files, which are not sent twice. */
const ONLY_TEXT: readonly string[] = ["knowledge.get"];

const objectSchema = z.looseObject({ type: z.literal("object") });

/** The tools of programs: the procedures of `/api/v1` that have a description for models. */
export function collectTools(capabilities: readonly NamedCapability<Services>[]): WorkspaceTool[] {
  return capabilities.flatMap(({ name, toolName, effect, v1, toolDescription }) => {
    if (v1 === undefined || toolDescription === undefined) return [];
    const title = titleOf(toolName);
    const description = {
      name: toolName,
      title,
      description: toolDescription,
      inputSchema: toInputSchema(v1.tool.input),
      ...(!ONLY_TEXT.includes(name) && { outputSchema: toOutputSchema(v1.output) }),
      annotations: { title, ...toAnnotations(effect) },
    };
    const { input, call } = v1.tool;
    const parameters = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
    return [{ description, scopes: v1.access.key, parameters, call }];
  });
}

/** `tasks_edit_checklist` for people: "Tasks: edit checklist". */
function titleOf(toolName: string): string {
  const [domain = "", ...action] = toolName.split("_");
  const subject = `${domain.charAt(0).toUpperCase()}${domain.slice(1)}`;
  return action.length === 0 ? subject : `${subject}: ${action.join(" ")}`;
}

function toAnnotations(effect: Effect): Omit<ToolDescription["annotations"], "title"> {
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

/** Without descriptions, which would make a list of tools longer than many assistants can use. */
function toOutputSchema(output: z.ZodType): ToolDescription["inputSchema"] {
  const { $schema: _, ...schema } = z.toJSONSchema(output, {
    io: "output",
    override({ jsonSchema }) {
      delete jsonSchema.description;
      delete jsonSchema["example"];
      delete jsonSchema.id;
    },
  });
  // The protocol requires the type also where one of several objects is returned.
  return objectSchema.parse({ type: "object", ...schema });
}
