import { userOrKeyProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  listedSessionSchema,
  listSessionsInput,
  sessionOutlineInput,
  sessionOutlineSchema,
  sessionStepsInput,
  sessionStepsSchema,
} from "./session-view.schema.ts";
import type { SessionViewService } from "./session-view.service.ts";

const procedure = userOrKeyProcedure<{ readonly sessionView: SessionViewService }>("hooks").tagged("Hooks");

export const sessionViewRouter = {
  list: procedure
    .rest("GET /hooks/sessions", "List the sessions of assistants, those with the latest events first")
    .input(listSessionsInput)
    .output(pageOf(listedSessionSchema))
    // It says what sessions were about, like the search of sessions.
    .v1("memory:read", { path: "/sessions" })
    .tool(
      "List the latest sessions of coding assistants: what each was asked first, where, how much it did and cost.",
      {
        allows: "List the latest sessions of coding assistants.",
      },
    )
    .query(({ ctx, input }) => asPage(ctx.services.sessionView.list(input))),

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
