import * as z from "zod";
import { signedInProcedure, userOrKeyProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  confirmInstructionsInput,
  giveInstructionInput,
  instructionByIdInput,
  listInstructionsInput,
  listRunningSessionsInput,
  runningSessionSchema,
  sessionInstructionSchema,
  takeInstructionsInput,
  takenInstructionsSchema,
  watchSessionInput,
} from "./session-instruction.schema.ts";
import type { SteeringService } from "./steering.service.ts";

interface SteeringServices {
  readonly steering: SteeringService;
}

const procedure = userProcedure<SteeringServices>().tagged("Hooks");
const hookProcedure = userOrKeyProcedure<SteeringServices>("hooks").tagged("Hooks");
/** Only for people: neither the key of the hooks nor the API token, which an assistant may find, can speak for a person. */
const personProcedure = signedInProcedure<SteeringServices>().tagged("Hooks");

export const steeringRouter = {
  give: personProcedure
    .rest("POST /hooks/sessions/{sessionId}/instructions", "Tell a running session something, pause it or stop it", {
      successStatus: 201,
      errorStatuses: [403, 404, 409],
    })
    .input(giveInstructionInput)
    .output(dataOf(sessionInstructionSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.steering.give(input, ctx.principal.userId))),

  withdraw: personProcedure
    .rest("POST /hooks/instructions/{id}/withdraw", "Withdraw what no hook has taken yet, or resume a paused session", {
      errorStatuses: [403, 404, 409],
    })
    .input(instructionByIdInput)
    .output(dataOf(sessionInstructionSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.steering.withdraw(input.id, ctx.principal.userId))),

  list: procedure
    .rest("GET /hooks/sessions/{sessionId}/instructions", "List what people had for a session, newest first")
    .input(listInstructionsInput)
    .output(pageOf(sessionInstructionSchema))
    .query(({ ctx, input }) => asPage(ctx.services.steering.list(input))),

  take: hookProcedure
    .rest("POST /hooks/sessions/{sessionId}/steering", "Take what a hook is to do; held up to 20 s while it is paused")
    .input(takeInstructionsInput)
    .output(dataOf(takenInstructionsSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.steering.take(input))),

  confirm: hookProcedure
    .rest("POST /hooks/sessions/{sessionId}/steering/delivered", "Report that a hook has delivered what it took")
    .input(confirmInstructionsInput)
    .output(dataOf(z.object({ delivered: z.number().int() })))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.steering.confirm(input))),

  watch: hookProcedure
    .rest("GET /hooks/sessions/{sessionId}/steering", "Wait up to 20 s for something that hooks are to do")
    .input(watchSessionInput)
    .output(dataOf(z.object({ isSteered: z.boolean() })))
    .query(({ ctx, input }) => asData(ctx.services.steering.watch(input))),

  listRunning: procedure
    .rest("GET /hooks/running-sessions", "List the sessions that did something within the last hour, newest first")
    .input(listRunningSessionsInput)
    .output(pageOf(runningSessionSchema))
    .query(({ ctx, input }) => asPage(ctx.services.steering.listRunning(input))),
};
