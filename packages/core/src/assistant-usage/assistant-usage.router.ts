import { asData, dataOf } from "../platform/response.ts";
import { router, userOrKeyProcedure } from "../platform/trpc.ts";
import {
  assistantUsageImportSchema,
  assistantUsageStatisticsInput,
  assistantUsageStatisticsSchema,
  importAssistantUsageInput,
} from "./assistant-usage.schema.ts";

const tags = ["Hooks"];
const procedure = userOrKeyProcedure("hooks");

/** Below `/hooks`, because the hooks' own key must open it. */
export const assistantUsageRouter = router({
  import: procedure
    .meta({
      openapi: {
        method: "POST",
        path: "/hooks/assistant-usage",
        summary: "Import the token usage of an assistant's session; importing it again changes nothing",
        tags,
        bodyLimit: "content",
        errorStatuses: [403, 404, 413],
      },
    })
    .input(importAssistantUsageInput)
    .output(dataOf(assistantUsageImportSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.assistantUsage.import(input))),

  statistics: procedure
    .meta({
      openapi: {
        method: "GET",
        path: "/hooks/assistant-usage/stats",
        summary: "Token usage of assistants' sessions over a rolling window",
        tags,
      },
    })
    .input(assistantUsageStatisticsInput)
    .output(dataOf(assistantUsageStatisticsSchema))
    .query(({ ctx, input }) => asData(ctx.services.assistantUsage.summarize(input))),
});
