import * as z from "zod";
import { signedInProcedure, userOrKeyProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import type { MemoryExtractionService } from "../memory/memory-extraction.service.ts";
import { extractionStatusSchema, keepTranscriptInput } from "../memory/memory.schema.ts";
import {
  getSessionTranscriptInput,
  keptTranscriptSchema,
  sessionTranscriptResponse,
} from "../transcripts/session-transcript.schema.ts";
import type { SessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import {
  hookEventSchema,
  listHookEventsInput,
  recordedHookEventSchema,
  recordHookEventInput,
  recordHookEventsInput,
} from "./hook-event.schema.ts";
import type { HookEventService } from "./hook-event.service.ts";
import { hookPolicySchema, setHookPolicyInput } from "./hook-policy.schema.ts";
import type { HookPolicyService } from "./hook-policy.service.ts";
import {
  getHookSessionInput,
  hookSessionResponse,
  knownProjectSchema,
  listKnownProjectsInput,
} from "./hook-session.schema.ts";
import type { HookSessionService } from "./hook-session.service.ts";
import { hookStatisticsInput, hookStatisticsSchema } from "./hook-statistics.schema.ts";
import type { HookStatisticsService } from "./hook-statistics.service.ts";
import { memorySettingsSchema, setMemorySettingsInput } from "./memory-settings.schema.ts";
import type { MemorySettingsService } from "./memory-settings.service.ts";

interface HookServices {
  readonly hookEvents: HookEventService;
  readonly hookPolicy: HookPolicyService;
  readonly hookSessions: HookSessionService;
  readonly hookStatistics: HookStatisticsService;
  readonly memorySettings: MemorySettingsService;
  readonly sessionTranscripts: SessionTranscriptService;
  readonly memoryExtraction: Pick<MemoryExtractionService, "keep" | "extractionStatus">;
}

const procedure = userOrKeyProcedure<HookServices>("hooks").tagged("Hooks");

export const hookRouter = {
  listEvents: procedure
    .rest("GET /hooks/events", "List events, most recent first")
    .input(listHookEventsInput)
    .output(pageOf(hookEventSchema))
    .query(({ ctx, input }) => asPage(ctx.services.hookEvents.list(input))),

  recordEvent: procedure
    .rest("POST /hooks/events", "Record an event; a repeat of its id adds nothing", { successStatus: 201 })
    .input(recordHookEventInput)
    .output(dataOf(recordedHookEventSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.hookEvents.record(input))),

  recordEvents: procedure
    .rest("POST /hooks/events/batch", "Record up to 500 events, all or none", { successStatus: 201 })
    .input(recordHookEventsInput)
    .output(dataOf(z.array(recordedHookEventSchema)))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.hookEvents.recordBatch(input.events))),

  statistics: procedure
    .rest("GET /hooks/stats", "Get statistics over a rolling window")
    .input(hookStatisticsInput)
    .output(dataOf(hookStatisticsSchema))
    .query(({ ctx, input }) => asData(ctx.services.hookStatistics.summarize(input))),

  getSession: procedure
    .rest("GET /hooks/sessions/{sessionId}", "Get everything known about one assistant session", {
      errorStatuses: [404],
    })
    .input(getHookSessionInput)
    .output(hookSessionResponse)
    .query(({ ctx, input }) => ctx.services.hookSessions.get(input)),

  listProjects: procedure
    .rest("GET /hooks/projects", "List the projects that sessions and memories are from, by name")
    .input(listKnownProjectsInput)
    .output(pageOf(knownProjectSchema))
    .query(({ ctx, input }) => asPage(ctx.services.hookSessions.listProjects(input))),

  getTranscript: procedure
    .rest("GET /hooks/sessions/{sessionId}/transcript", "Read what was said and done in a session, turn by turn", {
      errorStatuses: [404],
    })
    .input(getSessionTranscriptInput)
    .output(sessionTranscriptResponse)
    .query(({ ctx, input }) => ctx.services.sessionTranscripts.get(input)),

  keepTranscript: procedure
    .rest("POST /hooks/sessions/{sessionId}/transcript", "Keep a session's transcript; sending it again adds nothing", {
      bodyLimit: "content",
      errorStatuses: [413],
    })
    .input(keepTranscriptInput)
    .output(dataOf(keptTranscriptSchema.nullable()))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.memoryExtraction.keep(input))),

  extractionStatus: procedure
    .rest("GET /hooks/extraction", "Get whether memories are extracted from what is handed over")
    .output(dataOf(extractionStatusSchema))
    .query(({ ctx }) => asData(ctx.services.memoryExtraction.extractionStatus())),

  getPolicy: procedure
    .rest("GET /hooks/policy", "Get the hooks' policy")
    .output(dataOf(hookPolicySchema))
    .query(({ ctx }) => asData(ctx.services.hookPolicy.get())),

  /** Only for people: an assistant that finds the hooks' key or the API token must not be able to loosen its own guard. */
  setPolicy: signedInProcedure<HookServices>()
    .tagged("Hooks")
    .rest("PUT /hooks/policy", "Replace the hooks' policy", { errorStatuses: [403, 412] })
    .input(setHookPolicyInput)
    .output(dataOf(hookPolicySchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.hookPolicy.set(input))),

  getMemorySettings: procedure
    .rest("GET /hooks/memory-settings", "Get how much of its memory a session is given")
    .output(dataOf(memorySettingsSchema))
    .query(({ ctx }) => asData(ctx.services.memorySettings.get())),

  setMemorySettings: userProcedure<HookServices>()
    .tagged("Hooks")
    .rest("PUT /hooks/memory-settings", "Replace how much of its memory a session is given", { errorStatuses: [412] })
    .input(setMemorySettingsInput)
    .output(dataOf(memorySettingsSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.memorySettings.set(input))),
};
