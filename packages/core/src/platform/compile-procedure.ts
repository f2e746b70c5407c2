import type { AnyProcedure } from "@trpc/server";
import * as z from "zod";
import { requireKey, requireUser, requireUserOrKey } from "./authorization.ts";
import type { Principal } from "./principal.ts";
import { toInvalidInput } from "./public-error.ts";
import { assertStorable } from "./storable-input.ts";
import type { Access, Context, ProcedureMeta } from "./trpc.ts";

/** Calls one procedure: authorises, validates, runs and shapes the output. */
export type ProcedureCall = (ctx: Context, rawInput: unknown) => Promise<unknown>;

/** The parts of a procedure that tRPC keeps behind its name. */
const definitionSchema = z.object({
  meta: z.custom<ProcedureMeta>((meta) => typeof meta === "object"),
  inputs: z.array(z.instanceof(z.ZodType)).max(1),
  output: z.instanceof(z.ZodType),
  middlewares: z.array(z.function()),
  resolver: z.custom<(options: { ctx: Context; input: unknown }) => unknown>(
    (resolver) => typeof resolver === "function",
  ),
  type: z.enum(["query", "mutation"]),
});

/**
 * Prepares a procedure to be called directly, with the same checks in the same order as through tRPC but without its
 * middleware machinery, which costs as much as the rest of a request. Throws for a procedure that is not built like all
 * others: one of the kinds of `trpc.ts`, at most one input schema, an output schema, a resolver.
 */
export function compileProcedure(procedure: AnyProcedure): ProcedureCall {
  const definition = definitionSchema.parse(procedure._def);
  const { meta, inputs, output, middlewares, resolver } = definition;
  const [input] = inputs;
  const isPlain = middlewares.length === (input === undefined ? 3 : 4);
  if (!isPlain) throw new Error("A procedure has a middleware of its own, which a direct call would leave out.");
  const access = meta.access ?? "user";

  return async (ctx, rawInput) => {
    const principal = authorize(ctx.principal, access);
    assertStorable(rawInput);
    const parsed = input?.safeParse(rawInput);
    if (parsed?.success === false) throw toInvalidInput(parsed.error);
    const result: unknown = await resolver({ ctx: { ...ctx, principal }, input: parsed?.data });
    return output.parse(result);
  };
}

function authorize(principal: Principal | null, access: Access): Principal | null {
  if (access === "anyone") return principal;
  if (access === "user") return requireUser(principal);
  return "key" in access ? requireKey(principal, access.key) : requireUserOrKey(principal, access.userOrKey);
}
