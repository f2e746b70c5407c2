import * as z from "zod";
import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userOrKeyProcedure, userProcedure } from "../platform/trpc.ts";
import {
  hookEventSchema,
  listHookEventsInput,
  recordedHookEventSchema,
  recordHookEventInput,
  recordHookEventsInput,
} from "./hook-event.schema.ts";
import { hookPolicySchema, setHookPolicyInput } from "./hook-policy.schema.ts";
import { getHookSessionInput, hookSessionResponse } from "./hook-session.schema.ts";
import { hookStatisticsInput, hookStatisticsSchema } from "./hook-statistics.schema.ts";

const tags = ["Hooks"];
const procedure = userOrKeyProcedure("hooks");

export const hookRouter = router({
  listEvents: procedure
    .meta({ openapi: { method: "GET", path: "/hooks/events", summary: "List events, most recent first", tags } })
    .input(listHookEventsInput)
    .output(pageOf(hookEventSchema))
    .query(({ ctx, input }) => asPage(ctx.services.hookEvents.list(input))),

  recordEvent: procedure
    .meta({
      openapi: {
        method: "POST",
        path: "/hooks/events",
        summary: "Record an event; a repeat of its id adds nothing",
        tags,
        successStatus: 201,
      },
    })
    .input(recordHookEventInput)
    .output(dataOf(recordedHookEventSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.hookEvents.record(input))),

  recordEvents: procedure
    .meta({
      openapi: {
        method: "POST",
        path: "/hooks/events/batch",
        summary: "Record up to 500 events, all or none",
        tags,
        successStatus: 201,
      },
    })
    .input(recordHookEventsInput)
    .output(dataOf(z.array(recordedHookEventSchema)))
    .mutation(({ ctx, input }) => asData(ctx.services.hookEvents.recordBatch(input.events))),

  statistics: procedure
    .meta({ openapi: { method: "GET", path: "/hooks/stats", summary: "Statistics over a rolling window", tags } })
    .input(hookStatisticsInput)
    .output(dataOf(hookStatisticsSchema))
    .query(({ ctx, input }) => asData(ctx.services.hookStatistics.summarize(input))),

  getSession: procedure
    .meta({
      openapi: {
        method: "GET",
        path: "/hooks/sessions/{sessionId}",
        summary: "Get all that is known about one assistant session",
        tags,
        errorStatuses: [404],
      },
    })
    .input(getHookSessionInput)
    .output(hookSessionResponse)
    .query(({ ctx, input }) => ctx.services.hookSessions.get(input)),

  getPolicy: procedure
    .meta({ openapi: { method: "GET", path: "/hooks/policy", summary: "Get the hooks' policy", tags } })
    .output(dataOf(hookPolicySchema))
    .query(({ ctx }) => asData(ctx.services.hookPolicy.get())),

  /** For people alone: an assistant that holds the hooks' key must not loosen its own guard. */
  setPolicy: userProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/hooks/policy",
        summary: "Replace the hooks' policy",
        tags,
        errorStatuses: [412],
      },
    })
    .input(setHookPolicyInput)
    .output(dataOf(hookPolicySchema))
    .mutation(({ ctx, input }) => asData(ctx.services.hookPolicy.set(input))),
});
