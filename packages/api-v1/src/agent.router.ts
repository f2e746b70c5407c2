import {
  agentSchema,
  asData,
  askAnswerSchema,
  askInput,
  asPage,
  dataOf,
  keyProcedure,
  listInput,
  pageOf,
  router,
} from "@workspace/core";

const tags = ["Agents"];

const listedAgent = agentSchema.pick({
  id: true,
  name: true,
  description: true,
  enabled: true,
  schedule: true,
  lastRunAt: true,
  lastStatus: true,
});

export const agentRouter = router({
  list: keyProcedure("agents:read")
    .meta({
      openapi: { method: "GET", path: "/agents", summary: "List agents by name", tags, errorStatuses: [403] },
      tool: { name: "agents_list", description: "List the workspace's agents, which can be asked." },
    })
    .input(listInput)
    .output(pageOf(listedAgent))
    .query(({ ctx, input }) => asPage(ctx.services.agents.list(input))),

  ask: keyProcedure("agents:ask")
    .meta({
      openapi: {
        method: "POST",
        path: "/agents/ask",
        summary: "Ask an agent; the answer is charged to the credit pool",
        tags,
        errorStatuses: [402, 403, 404, 409, 502],
      },
      tool: {
        name: "agents_ask",
        description: "Ask one of the workspace's agents and wait for its answer. It costs credits.",
        // What its owner has allowed it, the agent may do.
        isDestructive: true,
      },
    })
    .input(askInput)
    .output(dataOf(askAnswerSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.asks.ask(input, ctx.principal.keyId, ctx.delivery))),
});
