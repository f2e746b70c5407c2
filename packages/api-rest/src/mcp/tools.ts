import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { compileProcedure, type ApiKeyScope, type ProcedureCall } from "@workspace/core";
import * as z from "zod";
import { inputOf, metaOf } from "../rest/routes.ts";

/** What an assistant is told of a tool, in the protocol's words. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: false;
  };
}

/** A procedure as a tool. */
export interface WorkspaceTool {
  readonly description: ToolDescription;
  /** What a key must be allowed to do for the tool to be offered; calling it asks for the same. */
  readonly scope: ApiKeyScope;
  readonly call: ProcedureCall;
}

const objectSchema = z.looseObject({ type: z.literal("object") });

/** The tools among a router's procedures: those that describe themselves as one. */
export function collectTools(router: AnyRouter): WorkspaceTool[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures;
  return Object.values(procedures).flatMap((procedure) => {
    const { tool, access } = metaOf(procedure);
    if (tool === undefined || typeof access !== "object" || !("key" in access)) return [];
    const { name, description: text, isDestructive = false } = tool;
    const description = {
      name,
      description: text,
      inputSchema: toInputSchema(inputOf(procedure)),
      annotations: { readOnlyHint: isQuery(procedure), destructiveHint: isDestructive, openWorldHint: false } as const,
    };
    return [{ description, scope: access.key, call: compileProcedure(procedure) }];
  });
}

function toInputSchema(input: z.ZodType | undefined): ToolDescription["inputSchema"] {
  if (input === undefined) return { type: "object", properties: {} };
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return objectSchema.parse(schema);
}

function isQuery(procedure: AnyProcedure): boolean {
  return procedure._def.type === "query";
}
