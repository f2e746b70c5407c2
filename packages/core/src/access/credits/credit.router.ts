import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import { creditEntrySchema, creditPoolSchema, listCreditEntriesInput, topUpInput } from "./credit.schema.ts";
import type { CreditService } from "./credit.service.ts";

const procedure = userProcedure<{ readonly credits: CreditService }>().tagged("Credits");

export const creditRouter = {
  get: procedure
    .rest("GET /credits", "Get the credit pool of /api/v1")
    .output(dataOf(creditPoolSchema))
    .query(({ ctx }) => asData(ctx.services.credits.getPool())),

  topUp: procedure
    .rest("POST /credits", "Add credits to the pool")
    .input(topUpInput)
    .output(dataOf(creditPoolSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.credits.topUp(input))),

  entries: procedure
    .rest("GET /credits/entries", "List the ledger, newest first")
    .input(listCreditEntriesInput)
    .output(pageOf(creditEntrySchema))
    .query(({ ctx, input }) => asPage(ctx.services.credits.listEntries(input))),
};
