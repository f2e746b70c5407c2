import * as z from "zod";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { searchHitSchema, searchInput } from "./search.schema.ts";
import type { SearchService } from "./search.service.ts";

interface SearchServices {
  readonly search: SearchService;
}

export const searchRouter = {
  find: userProcedure<SearchServices>()
    .tagged("Search")
    .rest("GET /search", "Search everything, best match first")
    .input(searchInput)
    .output(dataOf(z.array(searchHitSchema)))
    .v1(["tasks:read", "knowledge:read", "memory:read", "agents:read"])
    .tool(
      "Search everything in the workspace at once: tasks, notes, chats, memories, sessions of coding assistants, agents and their runs, and names of secrets. Best match first.",
      { name: "search", allows: "Search everything in the workspace." },
    )
    .query(({ ctx, input }) => asData(ctx.services.search.find(input, ctx.principal))),
};
