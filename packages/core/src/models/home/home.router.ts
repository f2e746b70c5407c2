import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { newsSchema, readNewsInput } from "./home.schema.ts";
import type { HomeService } from "./home.service.ts";

const procedure = userProcedure<{ readonly home: HomeService }>().tagged("Home");

/** The page that one opens in the morning. */
export const homeRouter = {
  news: procedure
    .rest("GET /news", "What happened since the person last read the news")
    .output(dataOf(newsSchema))
    .query(({ ctx }) => asData(ctx.services.home.news(ctx.principal.userId))),

  read: procedure
    .rest("POST /news/read", "Mark the news as read, and return what has come since")
    .input(readNewsInput)
    .output(dataOf(newsSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.home.read(input.until, ctx.principal.userId))),
};
