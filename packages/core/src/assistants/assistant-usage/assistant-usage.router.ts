import { userOrKeyProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import {
  assistantLimitsSchema,
  assistantUsageImportSchema,
  assistantUsageStatisticsInput,
  assistantUsageStatisticsSchema,
  importAssistantUsageInput,
} from "./assistant-usage.schema.ts";
import type { AssistantUsageService } from "./assistant-usage.service.ts";
import { ownLimitsSchema, setOwnLimitsInput } from "./own-limits.schema.ts";
import type { OwnLimitsService } from "./own-limits.service.ts";

interface AssistantUsageServices {
  readonly assistantUsage: AssistantUsageService;
  readonly ownLimits: OwnLimitsService;
}

const procedure = userOrKeyProcedure<AssistantUsageServices>("hooks").tagged("Hooks");
const ownProcedure = userProcedure<AssistantUsageServices>().tagged("Hooks");

/** Below `/hooks`, because it must accept the hooks' own key. */
export const assistantUsageRouter = {
  import: procedure
    .rest(
      "POST /hooks/assistant-usage",
      "Import the token usage of an assistant session; importing it again changes nothing",
      { bodyLimit: "content", errorStatuses: [403, 404, 413] },
    )
    .input(importAssistantUsageInput)
    .output(dataOf(assistantUsageImportSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.assistantUsage.import(input))),

  statistics: procedure
    .rest("GET /hooks/assistant-usage/stats", "Get the token usage of assistant sessions over a rolling window")
    .input(assistantUsageStatisticsInput)
    .output(dataOf(assistantUsageStatisticsSchema))
    .query(({ ctx, input }) => asData(ctx.services.assistantUsage.summarize(input))),

  limits: procedure
    .rest(
      "GET /hooks/assistant-usage/limits",
      "Get what assistants used in their current windows of five hours and the last seven days, with a forecast",
    )
    .output(dataOf(assistantLimitsSchema))
    .query(({ ctx }) => asData(ctx.services.assistantUsage.limits())),

  getOwnLimits: ownProcedure
    .rest("GET /hooks/assistant-usage/own-limits", "Get what assistants are to use at most, as a person has entered it")
    .output(dataOf(ownLimitsSchema))
    .query(({ ctx }) => asData(ctx.services.ownLimits.get())),

  setOwnLimits: ownProcedure
    .rest("PUT /hooks/assistant-usage/own-limits", "Replace what assistants are to use at most", {
      errorStatuses: [412],
    })
    .input(setOwnLimitsInput)
    .output(dataOf(ownLimitsSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.ownLimits.set(input))),
};
