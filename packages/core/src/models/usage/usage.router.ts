import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { budgetSchema, listUsageInput, usageListSchema, usageStatsInput, usageStatsSchema } from "./usage.schema.ts";
import type { UsageService } from "./usage.service.ts";

const procedure = userProcedure<{ readonly usage: UsageService }>().tagged("Usage");

export const usageRouter = {
  list: procedure
    .rest("GET /usage", "List usage records, newest first")
    .input(listUsageInput)
    .output(usageListSchema)
    .query(({ ctx, input }) => ctx.services.usage.list(input)),

  stats: procedure
    .rest("GET /usage/stats", "Costs and tokens over time")
    .input(usageStatsInput)
    .output(dataOf(usageStatsSchema))
    .query(({ ctx, input }) => asData(ctx.services.usage.stats(input))),

  budget: procedure
    .rest("GET /usage/budget", "Get today's spending and its cap")
    .output(dataOf(budgetSchema))
    .query(({ ctx }) => asData(ctx.services.usage.budget())),
};
