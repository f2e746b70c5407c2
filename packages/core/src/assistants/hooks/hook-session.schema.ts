import * as z from "zod";
import { cursorInput, listInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { assistantUsageTotalsSchema } from "../assistant-usage/assistant-usage.schema.ts";
import { givenMemorySchema } from "../memory/memory-injection.schema.ts";
import { leftOutMemorySchema, memoryChunkSchema } from "../memory/memory.schema.ts";
import { keptTranscriptSchema } from "../transcripts/session-transcript.schema.ts";
import { hookEventSchema } from "./hook-event.schema.ts";

export const getHookSessionInput = z.object({
  sessionId: z.string(),
  limit: z.number().int().min(1).max(1000).default(500).meta({ description: "The maximum number of events per page" }),
  cursor: cursorInput,
});
export type GetHookSession = z.infer<typeof getHookSessionInput>;

/** What a session ran with, as far as it is known. */
export const sessionAssistantSchema = z
  .object({
    name: z.string().nullable().meta({ description: "Such as `claude-code`" }),
    version: z.string().nullable().meta({ description: "When the session last started or was resumed" }),
    models: z.array(z.string()).meta({ description: "At most ten, those with most responses first" }),
  })
  .meta({ id: "SessionAssistant" });
export type SessionAssistant = z.infer<typeof sessionAssistantSchema>;

/** Everything known about one assistant session. */
export const hookSessionSchema = z
  .object({
    sessionId: z.string(),
    projectDir: z.string().nullable(),
    project: z.string().nullable().meta({ description: "The project of its memories, whose folder `projectDir` is" }),
    assistant: sessionAssistantSchema,
    startedAt: timestamp.nullable(),
    lastEventAt: timestamp.nullable(),
    hasEnded: z.boolean(),
    totalEvents: z.number().int(),
    blockedEvents: z.number().int(),
    events: z.array(hookEventSchema).meta({ description: "In chronological order" }),
    blockedCalls: z.array(hookEventSchema).meta({ description: "The most recent blocked calls, newest first" }),
    transcript: keptTranscriptSchema
      .nullable()
      .meta({ description: "What `/transcript` has of it; null if none is kept" }),
    memories: z.array(memoryChunkSchema).meta({ description: "Extracted from this session" }),
    given: z.array(givenMemorySchema).meta({
      description: "The memories that it was given, in that order: the last 100, within half a year",
    }),
    leftOut: z.array(leftOutMemorySchema).meta({
      description: "What would have been extracted within the last 30 days, had it not been forgotten before",
    }),
    usage: assistantUsageTotalsSchema.nullable().meta({ description: "The assistant's own token usage, if imported" }),
    tasks: z
      .array(z.object({ id: z.string(), title: z.string() }))
      .meta({ description: "Mentioned by id in its events" }),
    documents: z
      .array(z.object({ id: z.string(), title: z.string(), path: z.string() }))
      .meta({ description: "Mentioned in its events by id or by path" }),
  })
  .meta({ id: "HookSession" });
export type HookSession = z.infer<typeof hookSessionSchema>;

/** A project that sessions or memories are from. */
export const listKnownProjectsInput = listInput.extend({
  given: z.string().optional().meta({
    description:
      "Only the project that is given by a folder of it, the URL of its repository, or its name, whose last part suffices if no other project has it",
  }),
});
export type ListKnownProjects = z.infer<typeof listKnownProjectsInput>;

export const knownProjectSchema = z
  .object({ project: z.string().meta({ description: "The name of its git remote, or its folder" }) })
  .meta({ id: "KnownProject" });
export type KnownProject = z.infer<typeof knownProjectSchema>;

export const hookSessionResponse = z.object({ data: hookSessionSchema, nextCursor: z.string().optional() });
