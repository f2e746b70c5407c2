import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  agentRunDetailSchema,
  agentRunSchema,
  agentStatsInput,
  agentStatsSchema,
  globalStatsInput,
  globalStatsSchema,
  listRunsInput,
} from "./agent-run.schema.ts";
import type { AgentRunService } from "./agent-run.service.ts";
import {
  agentSchema,
  agentToolSchema,
  createAgentInput,
  deleteAgentInput,
  listAgentsInput,
  listedAgentSchema,
  nextRunsInput,
  nextRunsSchema,
  setEnabledInput,
  updateAgentInput,
} from "./agent.schema.ts";
import type { AgentService } from "./agent.service.ts";

const byId = z.object({ id: z.string() });
const agentRef = z.object({ id: z.string(), name: z.string() });

/** These fields of an agent change without a new version. */
const entityTag = {
  entityTagAt: ["data", "version"],
  entityTagWith: ["lastRunAt", "lastStatus", "nextRunAt", "creator"],
};

interface AgentServices {
  readonly agents: AgentService;
  readonly agentRuns: AgentRunService;
}

const procedure = userProcedure<AgentServices>().tagged("Agents");

export const agentRouter = {
  list: procedure
    .rest("GET /agents", "List agents by name")
    .input(listAgentsInput)
    .output(pageOf(agentSchema))
    .v1("agents:read", { output: pageOf(listedAgentSchema) })
    .tool("List the workspace's agents, which can be asked.")
    .query(({ ctx, input }) => asPage(ctx.services.agents.list(input))),

  create: procedure
    .rest("POST /agents", "Create an agent; unless disabled, it is scheduled immediately", entityTag)
    .input(createAgentInput)
    .output(dataOf(agentSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.agents.create(input, ctx.principal.userId))),

  globalStats: procedure
    .rest("GET /agents/stats", "Statistics of all agents")
    .input(globalStatsInput)
    .output(dataOf(globalStatsSchema))
    .query(({ ctx, input }) => asData(ctx.services.agentRuns.globalStats(input))),

  tools: procedure
    .rest("GET /agents/tools", "List the tools that agents may use")
    .input(listInput)
    .output(pageOf(agentToolSchema))
    .query(({ ctx, input }) => {
      const { items, ...rest } = ctx.services.agents.listTools(input);
      return { data: items, ...rest };
    }),

  previewSchedule: procedure
    .rest("GET /agents/next-runs", "Preview when a schedule would be due next")
    .input(nextRunsInput)
    .output(dataOf(nextRunsSchema))
    .query(({ ctx, input }) => ({ data: ctx.services.agents.previewSchedule(input) })),

  setEnabled: procedure
    .rest("POST /agents/enabled", "Enable or disable several or all agents; returns those that this changed")
    .input(setEnabledInput)
    .output(dataOf(z.array(agentRef)))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.agents.setEnabled(input))),

  get: procedure
    .rest("GET /agents/{id}", "Get one agent", { errorStatuses: [404], ...entityTag })
    .input(byId)
    .output(dataOf(agentSchema))
    .query(({ ctx, input }) => asData(ctx.services.agents.get(input.id))),

  update: procedure
    .rest("PATCH /agents/{id}", "Change the given fields", {
      errorStatuses: [404, 412],
      ...entityTag,
      takesIfMatch: "expectedVersion",
    })
    .input(updateAgentInput)
    .output(dataOf(agentSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.agents.update(input))),

  delete: procedure
    .rest("DELETE /agents/{id}", "Permanently delete an agent and its runs", {
      errorStatuses: [404, 412],
      takesIfMatch: "expectedVersion",
    })
    .input(deleteAgentInput)
    .output(dataOf(agentRef))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.agents.delete(input.id, input.expectedVersion))),

  run: procedure
    .rest("POST /agents/{id}/run", "Start a run without waiting for it to end", { errorStatuses: [402, 404] })
    .input(byId)
    .output(z.object({ message: z.string(), runId: z.string() }))
    .mutation("reaches_outside", async ({ ctx, input }) => {
      const { runId } = await ctx.services.agentRuns.start({ agentId: input.id, trigger: "manual" });
      return { message: "Agent started", runId };
    }),

  cancel: procedure
    .rest("POST /agents/{id}/cancel", "Cancel the agent's running executions", { errorStatuses: [404] })
    .input(byId)
    .output(z.object({ success: z.literal(true), message: z.string(), cancelledCount: z.number().int() }))
    .mutation("writes", async ({ ctx, input }) => {
      const cancelledCount = await ctx.services.agents.cancel(input.id);
      return { success: true, message: `Cancelled ${cancelledCount} running execution(s)`, cancelledCount } as const;
    }),

  nextRuns: procedure
    .rest("GET /agents/{id}/next-runs", "Get the times when the agent is due next", { errorStatuses: [404] })
    .input(byId)
    .output(dataOf(nextRunsSchema))
    .query(({ ctx, input }) => asData(ctx.services.agents.nextRuns(input.id))),

  runs: procedure
    .rest("GET /agents/{id}/runs", "List the agent's runs, newest first", { errorStatuses: [404] })
    .input(listRunsInput)
    .output(pageOf(agentRunSchema))
    .query(({ ctx, input }) => asPage(ctx.services.agentRuns.list(input))),

  getRun: procedure
    .rest("GET /agents/{id}/runs/{runId}", "Get one run with its steps, even while it is in progress", {
      errorStatuses: [404],
    })
    .input(z.object({ id: z.string(), runId: z.string() }))
    .output(dataOf(agentRunDetailSchema))
    .query(({ ctx, input }) => asData(ctx.services.agentRuns.get(input.id, input.runId))),

  stats: procedure
    .rest("GET /agents/{id}/stats", "Statistics of one agent", { errorStatuses: [404] })
    .input(agentStatsInput)
    .output(dataOf(agentStatsSchema))
    .query(({ ctx, input }) => asData(ctx.services.agentRuns.stats(input))),
};
