import { keyProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { askAnswerSchema, askInput } from "./ask.schema.ts";
import type { AskService } from "./ask.service.ts";

/** Only for programs: each answer is charged to the credit pool and recorded with the API key. */
export const askRouter = {
  ask: keyProcedure<{ readonly asks: AskService }>("agents:ask")
    .tagged("Agents")
    .rest("POST /agents/ask", "Ask an agent; the answer is charged to the credit pool", {
      errorStatuses: [402, 404, 409, 502],
      recognisesRepeats: true,
    })
    .input(askInput)
    .output(dataOf(askAnswerSchema))
    .tool("Ask one of the workspace's agents and wait for its answer. It costs credits.")
    // The agent may do anything that its owner has allowed.
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.asks.ask(input, ctx.principal.keyId, ctx.delivery))),
};
