import { asData, dataOf } from "../platform/response.ts";
import { router, userProcedure } from "../platform/trpc.ts";
import { budgetSchema, listUsageInput, usageListSchema, usageStatsInput, usageStatsSchema } from "./usage.schema.ts";

const tags = ["Usage"];

export const usageRouter = router({
  list: userProcedure
    .meta({
      openapi: { method: "GET", path: "/usage", summary: "List what the model was used for, newest first", tags },
    })
    .input(listUsageInput)
    .output(usageListSchema)
    .query(({ ctx, input }) => ctx.services.usage.list(input)),

  stats: userProcedure
    .meta({ openapi: { method: "GET", path: "/usage/stats", summary: "Costs and tokens over time", tags } })
    .input(usageStatsInput)
    .output(dataOf(usageStatsSchema))
    .query(({ ctx, input }) => asData(ctx.services.usage.stats(input))),

  budget: userProcedure
    .meta({ openapi: { method: "GET", path: "/usage/budget", summary: "Today's spending beside its cap", tags } })
    .output(dataOf(budgetSchema))
    .query(({ ctx }) => asData(ctx.services.usage.budget())),
});
