import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userProcedure } from "../platform/trpc.ts";
import { creditEntrySchema, creditPoolSchema, listCreditEntriesInput, topUpInput } from "./credit.schema.ts";

const tags = ["Credits"];

export const creditRouter = router({
  get: userProcedure
    .meta({ openapi: { method: "GET", path: "/credits", summary: "Get the credit pool of /api/v1", tags } })
    .output(dataOf(creditPoolSchema))
    .query(({ ctx }) => asData(ctx.services.credits.getPool())),

  topUp: userProcedure
    .meta({ openapi: { method: "POST", path: "/credits", summary: "Add credits to the pool", tags } })
    .input(topUpInput)
    .output(dataOf(creditPoolSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.credits.topUp(input))),

  entries: userProcedure
    .meta({ openapi: { method: "GET", path: "/credits/entries", summary: "List the ledger, newest first", tags } })
    .input(listCreditEntriesInput)
    .output(pageOf(creditEntrySchema))
    .query(({ ctx, input }) => asPage(ctx.services.credits.listEntries(input))),
});
