import * as z from "zod";
import { listInput } from "../platform/paging.ts";
import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userProcedure, type RouteMeta } from "../platform/trpc.ts";
import {
  agentRunDetailSchema,
  agentRunSchema,
  agentStatsInput,
  agentStatsSchema,
  globalStatsInput,
  globalStatsSchema,
  listRunsInput,
} from "./agent-run.schema.ts";
import {
  agentSchema,
  agentToolSchema,
  createAgentInput,
  deleteAgentInput,
  listAgentsInput,
  nextRunsInput,
  nextRunsSchema,
  setEnabledInput,
  updateAgentInput,
} from "./agent.schema.ts";

const byId = z.object({ id: z.string() });
const agentRef = z.object({ id: z.string(), name: z.string() });

const route = (
  method: RouteMeta["method"],
  path: RouteMeta["path"],
  summary: string,
  errorStatuses?: number[],
  more: Partial<RouteMeta> = {},
) => ({
  openapi: { method, path, summary, tags: ["Agents"], ...(errorStatuses !== undefined && { errorStatuses }), ...more },
});

/** An agent is shown with what its runs, its schedule and its creator's name say at the moment. */
const entityTag: Partial<RouteMeta> = {
  entityTagAt: ["data", "version"],
  entityTagWith: ["lastRunAt", "lastStatus", "nextRunAt", "creator"],
};
const ifMatch: Partial<RouteMeta> = { takesIfMatch: "expectedVersion" };

export const agentRouter = router({
  list: userProcedure
    .meta(route("GET", "/agents", "List agents by name"))
    .input(listAgentsInput)
    .output(pageOf(agentSchema))
    .query(({ ctx, input }) => asPage(ctx.services.agents.list(input))),

  create: userProcedure
    .meta(route("POST", "/agents", "Create an agent; it is scheduled at once unless it is disabled", [], entityTag))
    .input(createAgentInput)
    .output(dataOf(agentSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.agents.create(input, ctx.principal.userId))),

  globalStats: userProcedure
    .meta(route("GET", "/agents/stats", "Statistics of all agents"))
    .input(globalStatsInput)
    .output(dataOf(globalStatsSchema))
    .query(({ ctx, input }) => asData(ctx.services.agentRuns.globalStats(input))),

  tools: userProcedure
    .meta(route("GET", "/agents/tools", "List the tools that agents may use"))
    .input(listInput)
    .output(pageOf(agentToolSchema))
    .query(({ ctx, input }) => {
      const { items, ...rest } = ctx.services.agents.listTools(input);
      return { data: items, ...rest };
    }),

  previewSchedule: userProcedure
    .meta(route("GET", "/agents/next-runs", "Tell when a schedule would be due next"))
    .input(nextRunsInput)
    .output(dataOf(nextRunsSchema))
    .query(({ ctx, input }) => ({ data: ctx.services.agents.previewSchedule(input) })),

  setEnabled: userProcedure
    .meta(route("POST", "/agents/enabled", "Switch several or all agents on or off; answers those that this changed"))
    .input(setEnabledInput)
    .output(dataOf(z.array(agentRef)))
    .mutation(({ ctx, input }) => asData(ctx.services.agents.setEnabled(input))),

  get: userProcedure
    .meta(route("GET", "/agents/{id}", "Get one agent", [404], entityTag))
    .input(byId)
    .output(dataOf(agentSchema))
    .query(({ ctx, input }) => asData(ctx.services.agents.get(input.id))),

  update: userProcedure
    .meta(route("PATCH", "/agents/{id}", "Change the given fields", [404, 412], { ...entityTag, ...ifMatch }))
    .input(updateAgentInput)
    .output(dataOf(agentSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.agents.update(input))),

  delete: userProcedure
    .meta(route("DELETE", "/agents/{id}", "Delete an agent and its runs for good", [404, 412], ifMatch))
    .input(deleteAgentInput)
    .output(dataOf(agentRef))
    .mutation(({ ctx, input }) => asData(ctx.services.agents.delete(input.id, input.expectedVersion))),

  run: userProcedure
    .meta(route("POST", "/agents/{id}/run", "Begin a run without waiting for it", [402, 404]))
    .input(byId)
    .output(z.object({ message: z.string(), runId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const { runId } = await ctx.services.agentRuns.start({ agentId: input.id, trigger: "manual" });
      return { message: "Agent started", runId };
    }),

  cancel: userProcedure
    .meta(route("POST", "/agents/{id}/cancel", "Cancel the agent's running executions", [404]))
    .input(byId)
    .output(z.object({ success: z.literal(true), message: z.string(), cancelledCount: z.number().int() }))
    .mutation(async ({ ctx, input }) => {
      const cancelledCount = await ctx.services.agents.cancel(input.id);
      return { success: true, message: `Cancelled ${cancelledCount} running execution(s)`, cancelledCount } as const;
    }),

  nextRuns: userProcedure
    .meta(route("GET", "/agents/{id}/next-runs", "Tell when the agent is due next", [404]))
    .input(byId)
    .output(dataOf(nextRunsSchema))
    .query(({ ctx, input }) => asData(ctx.services.agents.nextRuns(input.id))),

  runs: userProcedure
    .meta(route("GET", "/agents/{id}/runs", "List the agent's runs, newest first", [404]))
    .input(listRunsInput)
    .output(pageOf(agentRunSchema))
    .query(({ ctx, input }) => asPage(ctx.services.agentRuns.list(input))),

  getRun: userProcedure
    .meta(route("GET", "/agents/{id}/runs/{runId}", "Get one run with its steps, also while it is under way", [404]))
    .input(z.object({ id: z.string(), runId: z.string() }))
    .output(dataOf(agentRunDetailSchema))
    .query(({ ctx, input }) => asData(ctx.services.agentRuns.get(input.id, input.runId))),

  stats: userProcedure
    .meta(route("GET", "/agents/{id}/stats", "Statistics of one agent", [404]))
    .input(agentStatsInput)
    .output(dataOf(agentStatsSchema))
    .query(({ ctx, input }) => asData(ctx.services.agentRuns.stats(input))),
});
