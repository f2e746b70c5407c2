import * as z from "zod";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { baseViewSchema, queryResultSchema, readBaseInput, runQueriesInput } from "./query.schema.ts";
import type { QueryService } from "./query.service.ts";

export const queryRouter = {
  run: userProcedure<{ readonly queries: QueryService }>()
    .tagged("Queries")
    .rest("POST /queries", "Carry out queries over notes or tasks, such as those in notes", { errorStatuses: [403] })
    .input(runQueriesInput)
    .output(dataOf(z.array(queryResultSchema)))
    .v1(["knowledge:read", "tasks:read"])
    .tool(
      "List notes or tasks by fields, tags, folders, properties and dates. Takes the text of ```query blocks, so it also returns what such a block in a note shows.",
      { name: "query_run", allows: "List notes and tasks by queries." },
    )
    .query(({ ctx, input }) => asData(ctx.services.queries.run(input, ctx.principal))),
  readBase: userProcedure<{ readonly queries: QueryService }>()
    .tagged("Queries")
    .rest("POST /queries/views", "Read the views of a `.base` file as queries")
    .input(readBaseInput)
    .output(dataOf(z.array(baseViewSchema)))
    .query(({ ctx, input }) => asData(ctx.services.queries.readBase(input.text))),
};
