import * as z from "zod";
import { MAX_CHOICES } from "../../platform/choices.ts";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { citationInput, memoryCitationSchema } from "./citation.schema.ts";
import { MAX_TRANSCRIPT_PATH_LENGTH } from "../transcripts/transcript-source.ts";

export const CHUNK_TYPES = ["decision", "fact", "solution", "pattern", "preference", "summary"] as const;

export const chunkType = z.enum(CHUNK_TYPES);
export type ChunkType = z.infer<typeof chunkType>;

const MAX_SELECTION = 500;
const MAX_CITATIONS = 10;
/** An index entry must stay below a third of a page. */
const MAX_INDEXED_BYTES = 2000;

const content = z.string().trim().min(1, "must not be empty").max(10_000, "must be at most 10,000 characters");
const relevanceScore = z.number().min(0, "must be from 0 to 1").max(1, "must be from 0 to 1");
export const sessionId = z.string().max(255, "must be at most 255 characters");
const projectPath = z
  .string()
  .refine((path) => Buffer.byteLength(path) <= MAX_INDEXED_BYTES, `must be at most ${MAX_INDEXED_BYTES} bytes`);
const ids = z
  .array(z.string())
  .min(1, "must not be empty")
  .max(MAX_SELECTION, `must contain at most ${MAX_SELECTION} ids`);

export const memoryChunkSchema = z
  .object({
    id: z.string(),
    sessionId: z.string().nullable(),
    projectPath: z.string().nullable(),
    chunkType,
    content: z.string(),
    sourceExcerpt: z.string().nullable(),
    sourceTurn: z
      .number()
      .int()
      .nullable()
      .meta({ description: "The position of the turn in its session's transcript from which it was extracted" }),
    relevanceScore: z.number(),
    accessCount: z.number().int(),
    lastAccessedAt: timestamp.nullable(),
    nearDuplicateOfId: z.string().nullable().meta({ description: "The memory that this one may repeat" }),
    awaitsReview: z.boolean().meta({ description: "Whether it was extracted, and nobody has kept or changed it yet" }),
    supersededById: z.string().nullable().meta({
      description: "The memory that replaced this one, which sessions are no longer given; null while it is valid",
    }),
    supersededAt: timestamp.nullable().meta({ description: "Until when it was valid" }),
    citations: z.array(memoryCitationSchema).meta({ description: "The lines of files that it rests on" }),
    withheldAt: timestamp.nullable().meta({
      description:
        "Since when sessions are not given it, because lines that it rests on were not found; null if they are",
    }),
    deletedAt: timestamp.nullable().meta({ description: "Since when it is forgotten; it can be restored for 30 days" }),
    createdAt: timestamp,
  })
  .meta({ id: "Memory" });
export type MemoryChunk = z.infer<typeof memoryChunkSchema>;

export const searchMemoryInput = z.object({
  query: z
    .string()
    .max(1000, "must be at most 1,000 characters")
    .optional()
    .meta({ description: "The words to find; without it, the most relevant memories come first" }),
  projectPath: z.string().optional().meta({
    description:
      "Return only memories of this project, given by a folder of it, the URL of its repository, or its name, whose last part suffices if no other project has it",
  }),
  chunkType: chunkType.optional(),
  minRelevance: relevanceScore.optional().meta({ description: "The lowest relevance to return, from 0 to 1" }),
  awaitsReview: z
    .boolean()
    .optional()
    .meta({ description: "true: only memories that await review; false: only the others" }),
  isUse: z.boolean().optional().meta({
    description:
      "false: the search does not count as a use of what it finds, which ranks memories; for a person who types",
  }),
  limit: z.number().int().min(1).max(100).default(20).meta({ description: "The maximum number of memories to return" }),
});
export type SearchMemory = z.infer<typeof searchMemoryInput>;

export const memoryContextInput = z.object({
  project: z.string().optional().meta({
    description:
      "The project, given by a folder of it, the URL of its repository, or its name, whose last part suffices if no other project has it. Memories of it and of the folders in it come first, then those of the folders above it, then those of no project",
  }),
  folder: z.string().optional().meta({ description: "Another name of the project, where memories go by both" }),
  query: z.string().max(4000, "must be at most 4,000 characters").optional().meta({
    description: "A prompt. Only memories that are relevant to it are returned, best match first; often there are none",
  }),
  maxTokens: z.number().int().min(50).max(2500).optional().meta({
    description:
      "The maximum length of `formatted`, in tokens as models count them (an estimate that is seldom too low)",
  }),
  exclude: z
    .array(z.string())
    .max(MAX_CHOICES)
    .optional()
    .meta({ description: "The ids of memories to leave out, with those that say the same" }),
  sessionId: sessionId
    .optional()
    .meta({ description: "A session; `isSteered` then says whether a person has something for it" }),
  limit: z.number().int().min(1).max(20).default(5),
});
export type MemoryContextQuery = z.infer<typeof memoryContextInput>;

export const memoryContextSchema = z
  .object({
    memories: z.array(memoryChunkSchema),
    formatted: z
      .string()
      .meta({ description: "The memories as text for an assistant's prompt; empty if there are none" }),
    isSteered: z.boolean().optional().meta({
      description: "Whether a person has something for the session that its hooks are to do; only with `sessionId`",
    }),
  })
  .meta({ id: "MemoryContext" });
export type MemoryContext = z.infer<typeof memoryContextSchema>;

export const projectMemoriesInput = memoryContextInput.pick({ folder: true }).extend({
  project: z
    .string()
    .meta({ description: "The project's folder; what it and the folders above it remember is returned" }),
  limit: z.number().int().min(1).max(2000).default(500),
});
export type ProjectMemoriesQuery = z.infer<typeof projectMemoriesInput>;

export const projectMemorySchema = memoryChunkSchema
  .pick({ id: true, chunkType: true, content: true, createdAt: true })
  .meta({ id: "ProjectMemory" });
export type ProjectMemory = z.infer<typeof projectMemorySchema>;

export const storeMemoryInput = z.object({
  content,
  chunkType,
  sessionId: sessionId.nullish(),
  projectPath: projectPath.nullish().meta({
    description:
      "The project, given by a folder of it, the URL of its repository, or its name, whose last part suffices if no other project has it",
  }),
  sourceExcerpt: z.string().max(10_000, "must be at most 10,000 characters").nullish(),
  relevanceScore: relevanceScore.optional(),
  citations: z
    .array(citationInput)
    .max(MAX_CITATIONS, `must contain at most ${MAX_CITATIONS} citations`)
    .optional()
    .meta({
      description: "What it rests on in files of the project; when that changes, it is withheld until confirmed",
    }),
  supersedes: ids.optional().meta({
    description: "The ids of memories that are no longer true because of this one; they are kept, but no longer given",
  }),
});
export type StoreMemory = z.infer<typeof storeMemoryInput>;

export const extractMemoryInput = z.object({
  transcript: z.string().optional(),
  transcriptPath: z.string().max(MAX_TRANSCRIPT_PATH_LENGTH).optional(),
  sessionId: sessionId.nullish(),
  projectPath: projectPath.nullish(),
  isCut: z
    .boolean()
    .optional()
    .meta({ description: "true: the transcript is only the beginning of the session's, which was too long to send" }),
});
export type ExtractMemory = z.infer<typeof extractMemoryInput>;

export const keepTranscriptInput = extractMemoryInput.pick({ projectPath: true, isCut: true }).extend({
  sessionId: sessionId.min(1, "must not be empty"),
  transcript: z.string(),
  extract: z
    .boolean()
    .optional()
    .meta({ description: "true: memories are extracted from it later, once a model is configured" }),
});
export type KeepTranscript = z.infer<typeof keepTranscriptInput>;

export const extractionStatusSchema = z
  .object({
    isModelConfigured: z.boolean(),
    pending: z
      .number()
      .int()
      .meta({ description: "Parts of transcripts from which memories are still to be extracted" }),
    lastError: z.string().nullable().meta({ description: "Why one of them could not be read" }),
  })
  .meta({ id: "ExtractionStatus" });
export type ExtractionStatus = z.infer<typeof extractionStatusSchema>;

/** What a session would have taught again, had it not been forgotten. */
export const leftOutMemorySchema = z
  .object({ projectPath: z.string().nullable(), chunkType, content: z.string(), sourceExcerpt: z.string() })
  .meta({ id: "LeftOutMemory" });
export type LeftOut = z.infer<typeof leftOutMemorySchema>;
export type LeftOutMemory = Omit<LeftOut, "projectPath">;

export const extractedMemorySchema = z.object({ data: z.array(memoryChunkSchema), message: z.string() });
export type ExtractedMemory = z.infer<typeof extractedMemorySchema>;

export const listMemoryInput = z.object({
  query: z.string().max(1000, "must be at most 1,000 characters").optional(),
  projectPath: z.string().optional(),
  sessionId: z.string().optional(),
  chunkType: z.array(chunkType).max(MAX_CHOICES).optional(),
  minRelevance: relevanceScore.optional(),
  nearDuplicates: z
    .boolean()
    .optional()
    .meta({ description: "true: only memories that may repeat another; false: only the others" }),
  deleted: z
    .boolean()
    .default(false)
    .meta({ description: "List deleted memories that can still be restored, instead" }),
  awaitsReview: z
    .boolean()
    .optional()
    .meta({ description: "true: only memories that await review; false: only the others" }),
  limit: z.number().int().min(1).max(1000).default(50),
  cursor: cursorInput,
});
export type ListMemory = z.infer<typeof listMemoryInput>;

export const updateMemoryInput = z.object({
  id: z.string(),
  content: content.optional(),
  chunkType: chunkType.optional(),
  projectPath: projectPath.nullish(),
  relevanceScore: relevanceScore.optional(),
  nearDuplicateOfId: z
    .null()
    .optional()
    // A schema of null alone is unknown to generators of clients that began with earlier versions of OpenAPI.
    .meta({ description: "null: not a repetition", type: ["string", "null"], enum: [null] }),
  supersededById: z
    .string()
    .nullish()
    .meta({ description: "The memory that replaces it, and is valid itself; null: it is valid" }),
});
export type UpdateMemory = z.infer<typeof updateMemoryInput>;

export const mergeMemoryInput = z.object({
  id: z.string().meta({ description: "The memory to keep" }),
  ids: ids.meta({ description: "The memories to merge into it; they are deleted" }),
  content: content.optional().meta({ description: "The new content of the memory that is kept" }),
});
export type MergeMemory = z.infer<typeof mergeMemoryInput>;

export const selectMemoryInput = z.object({ ids });

export const recallMemoryInput = z.object({
  id: z.string(),
  project: z.string().optional().meta({ description: "The project whose context to explain" }),
});
export type RecallMemory = z.infer<typeof recallMemoryInput>;

/** Why a memory does or does not come with a project's context. */
export const memoryRecallSchema = z
  .object({
    memory: memoryChunkSchema,
    isInScope: z
      .boolean()
      .meta({ description: "Whether it belongs to the project, to a folder in it or above it, or to no project" }),
    rank: z.number().int().nullable().meta({ description: "Its place in the context, from 1; null where it has none" }),
    score: z.number(),
    factors: z.object({
      relevance: z.number(),
      recency: z.number(),
      ageDays: z.number(),
      halfLifeDays: z.number(),
      use: z.number(),
      accessCount: z.number().int(),
      usefulness: z.number().meta({ description: "From 0.4 to 1; it lowers the score of what was given in vain" }),
    }),
    outcomes: z
      .object({
        used: z.number().int(),
        unused: z.number().int().meta({ description: "Where use would have been noticed" }),
        notUseful: z.number().int().meta({ description: "Where a person said so" }),
      })
      .meta({ description: "In how many of the sessions that it was given to it was used, not used, and not useful" }),
    extractedAt: timestamp.nullable().meta({ description: "When it was taken from its session's transcript" }),
  })
  .meta({ id: "MemoryRecall" });
export type MemoryRecall = z.infer<typeof memoryRecallSchema>;
