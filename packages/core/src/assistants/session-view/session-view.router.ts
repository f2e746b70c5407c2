import { userOrKeyProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import {
  sessionOutlineInput,
  sessionOutlineSchema,
  sessionStepsInput,
  sessionStepsSchema,
} from "./session-view.schema.ts";
import type { SessionViewService } from "./session-view.service.ts";

const procedure = userOrKeyProcedure<{ readonly sessionView: SessionViewService }>("hooks").tagged("Hooks");

export const sessionViewRouter = {
  outline: procedure
    .rest("GET /hooks/sessions/{sessionId}/outline", "List the prompts of a session, with what came of each", {
      errorStatuses: [404],
    })
    .input(sessionOutlineInput)
    .output(dataOf(sessionOutlineSchema))
    .query(({ ctx, input }) => asData(ctx.services.sessionView.outline(input))),

  steps: procedure
    .rest("GET /hooks/sessions/{sessionId}/steps", "List what was said and done for one prompt of a session")
    .input(sessionStepsInput)
    .output(dataOf(sessionStepsSchema))
    .query(({ ctx, input }) => asData(ctx.services.sessionView.steps(input))),
};
