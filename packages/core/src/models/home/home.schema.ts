import { RunStatus } from "@workspace/db";
import * as z from "zod";
import { BACKUP_PROBLEMS } from "../../access/backups/backup.schema.ts";
import { instantInput } from "../../platform/instant.ts";
import { authorSchema } from "../../platform/procedures/author.ts";
import { timestamp } from "../../platform/procedures/response.ts";

/** How far back news goes, however long a person was away. */
export const MAX_NEWS_DAYS = 30;
export const MAX_NEWS_ITEMS = 30;
export const MAX_NEWS_AGENTS = 10;
export const MAX_NEWS_CALLS = 3;
export const MAX_NEWS_TEXT = 300;

const NEWS_KINDS = ["task", "document", "conversation"] as const;
export type NewsKind = (typeof NEWS_KINDS)[number];
const NEWS_ACTIONS = ["created", "changed", "commented", "answered"] as const;
export type NewsAction = (typeof NEWS_ACTIONS)[number];

const newsItemSchema = z
  .object({
    kind: z.enum(NEWS_KINDS),
    id: z.string(),
    title: z.string(),
    url: z.string().meta({ description: "Its page in the dashboard, relative to the server's address" }),
    actions: z.array(z.enum(NEWS_ACTIONS)).meta({ description: "What was done to it, each once" }),
    count: z
      .number()
      .int()
      .meta({ description: "How many changes, comments or answers there were; a document counts once" }),
    author: authorSchema.nullable().meta({ description: "Of the last of them; null for the answers of a chat" }),
    comment: z.string().nullable().meta({ description: "The beginning of the last comment, in Markdown" }),
    isDeleted: z.boolean(),
    mentionsYou: z.boolean(),
    at: timestamp.meta({ description: "When the last of them was made" }),
  })
  .meta({ id: "NewsItem", description: "Something that others changed, and the person has not opened since" });
export type NewsItem = z.infer<typeof newsItemSchema>;

const agentNewsSchema = z
  .object({
    agentId: z.string(),
    name: z.string(),
    runs: z.number().int(),
    failed: z.number().int().meta({ description: "Those that ended in an error or were refused by a budget" }),
    last: z.object({
      id: z.string(),
      status: z.enum(RunStatus),
      text: z.string().meta({ description: "The end of its answer, or why it failed" }),
      completedAt: timestamp,
    }),
  })
  .meta({ id: "AgentNews", description: "The runs of an agent that have ended" });
export type AgentNews = z.infer<typeof agentNewsSchema>;

const blockedCallSchema = z
  .object({
    id: z.string(),
    sessionId: z.string().nullable(),
    toolName: z.string().nullable(),
    reason: z.string().nullable(),
    at: timestamp,
  })
  .meta({ id: "BlockedCall" });
export type BlockedCall = z.infer<typeof blockedCallSchema>;

const spendSchema = z.object({
  costUsd: z.number(),
  isCostKnown: z.boolean().meta({ description: "Whether the price of every call was known" }),
});

export const newsSchema = z
  .object({
    since: timestamp.meta({
      description: `When the person last read the news, or joined if they never have; at most ${MAX_NEWS_DAYS} days ago`,
    }),
    isFirst: z.boolean().meta({ description: "Whether the person has never read any" }),
    until: timestamp.meta({ description: "The time of this answer: what to mark as read up to" }),
    items: z.array(newsItemSchema).meta({ description: `The latest ${MAX_NEWS_ITEMS}, mentions first` }),
    totalItems: z.number().int(),
    agents: z.array(agentNewsSchema).meta({ description: `At most ${MAX_NEWS_AGENTS}, those with failures first` }),
    totalAgents: z.number().int(),
    blockedCalls: z.object({
      total: z.number().int(),
      latest: z.array(blockedCallSchema).meta({ description: `At most ${MAX_NEWS_CALLS}` }),
    }),
    backupProblem: z
      .object({ kind: z.enum(BACKUP_PROBLEMS), message: z.string().nullable(), at: timestamp })
      .nullable()
      .meta({ description: "What failed last time with the scheduled backups, until it succeeds" }),
    memories: z.object({
      learnt: z.number().int().meta({ description: "Since then" }),
      toReview: z.number().int().meta({ description: "All that await review, however old" }),
    }),
    spend: z.object({
      workspace: spendSchema.meta({ description: "By chats, agents and memory" }),
      assistants: spendSchema.meta({ description: "By sessions of coding assistants, as their own accounts pay" }),
    }),
  })
  .meta({ id: "News", description: "What happened since the person last read the news" });
export type News = z.infer<typeof newsSchema>;

export const readNewsInput = z.object({
  until: instantInput.meta({
    description: "The `until` of the news that was read; an earlier time than the last changes nothing",
  }),
});
export type ReadNews = z.infer<typeof readNewsInput>;
