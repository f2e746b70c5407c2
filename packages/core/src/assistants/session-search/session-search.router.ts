import * as z from "zod";
import { userOrKeyProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { foundTurnSchema, searchSessionsInput } from "./session-search.schema.ts";
import type { SessionSearchService } from "./session-search.service.ts";

interface SessionSearchServices {
  readonly sessionSearch: SessionSearchService;
}

export const sessionSearchRouter = {
  search: userOrKeyProcedure<SessionSearchServices>("hooks")
    .tagged("Hooks")
    .rest("GET /hooks/sessions/search", "Search what was said and done in sessions, best match first")
    .input(searchSessionsInput)
    .output(dataOf(z.array(foundTurnSchema)))
    .v1("memory:read", { path: "/sessions/search" })
    .tool("Search what was said and done in earlier sessions, turn by turn: prompts, answers, tool calls, output.", {
      allows: "Search what was said and done in earlier sessions.",
    })
    .query(({ ctx, input }) => asData(ctx.services.sessionSearch.search(input))),
};
