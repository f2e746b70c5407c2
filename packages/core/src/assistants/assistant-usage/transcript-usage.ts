import * as z from "zod";
import { forEachRecord, type TranscriptRecord } from "../transcripts/transcript-records.ts";
import { messageUsageSchema, type MessageUsage } from "./assistant-usage.schema.ts";
import { readLimitReports, type LimitReport } from "./reported-limits.ts";

const count = z.number().int().nonnegative();
const timestamp = z.iso.datetime({ offset: true }).optional().catch(undefined);

/** Claude Code counts input, cache writes and cache reads separately. */
const claudeUsage = z.object({
  type: z.literal("assistant"),
  requestId: z.string().optional(),
  timestamp,
  message: z.object({
    id: z.string(),
    model: z.string().optional(),
    usage: z.object({
      input_tokens: count,
      output_tokens: count,
      cache_creation_input_tokens: count.nullish(),
      cache_read_input_tokens: count.nullish(),
    }),
  }),
});

/** Gemini CLI includes cached tokens in the input, and bills thoughts as output. */
const geminiUsage = z.object({
  type: z.literal("gemini"),
  id: z.string(),
  timestamp,
  model: z.string().optional(),
  tokens: z.object({ input: count, output: count, cached: count.default(0), thoughts: count.default(0) }),
});

/** Codex records running totals of the session and the usage of the last answer. The input includes cached tokens. */
const codexUsage = z.object({
  type: z.literal("event_msg"),
  timestamp,
  payload: z.object({
    type: z.literal("token_count"),
    info: z.object({
      total_token_usage: z.object({ total_tokens: count }),
      last_token_usage: z.object({ input_tokens: count, cached_input_tokens: count.default(0), output_tokens: count }),
    }),
  }),
});
/** A subagent has a transcript of its own, which names its thread and the session. */
const codexThread = z.object({
  type: z.literal("session_meta"),
  payload: z.object({ id: z.string(), session_id: z.string() }),
});
const codexTurn = z.object({ type: z.literal("turn_context"), payload: z.object({ model: z.string() }) });

/** opencode counts input, cache writes and cache reads separately, and thoughts beside the output. */
const opencodeUsage = z.object({
  info: z.object({
    role: z.literal("assistant"),
    id: z.string(),
    modelID: z.string().optional(),
    time: z.object({ created: z.number().optional() }).optional(),
    cost: z.number().nonnegative().optional(),
    tokens: z.object({
      input: count,
      output: count,
      reasoning: count.default(0),
      cache: z.object({ read: count.default(0), write: count.default(0) }).default({ read: 0, write: 0 }),
    }),
  }),
});

export interface TranscriptUsage {
  readonly reports: readonly MessageUsage[];
  readonly limits: readonly LimitReport[];
}

/**
 * Reads the token usage and the limits in a transcript. There is one report each time that usage was recorded, so the same answer may occur
 * more than once. Cached tokens are counted only once, however the assistant counts them. Pauses for other work. Throws like
 * {@link forEachRecord}.
 */
export async function readTranscriptUsage(transcript: string, sessionId: string, now: Date): Promise<TranscriptUsage> {
  const reports: MessageUsage[] = [];
  const limits: LimitReport[] = [];
  const readRecord = createUsageReader(sessionId);
  await forEachRecord(transcript, (record) => {
    const report = readRecord(record);
    if (report !== null && canBeStored(report)) reports.push(report);
    limits.push(...readLimitReports(record, now));
  });
  return { reports, limits };
}

/** Reads records in order. Checks the type first, because a failed validation takes much longer. */
function createUsageReader(sessionId: string): (record: TranscriptRecord) => MessageUsage | null {
  let codexModel: string | undefined;
  let codexThreadId: string | undefined;
  return (record) => {
    switch (record["type"]) {
      case "assistant": {
        const claude = claudeUsage.safeParse(record);
        return claude.success ? fromClaude(claude.data) : null;
      }
      case "gemini": {
        const gemini = geminiUsage.safeParse(record);
        return gemini.success ? fromGemini(gemini.data) : null;
      }
      case "session_meta": {
        const thread = codexThread.safeParse(record);
        // Others after the first are of a session that it continues.
        if (thread.success && thread.data.payload.id !== thread.data.payload.session_id)
          codexThreadId ??= thread.data.payload.id;
        return null;
      }
      case "turn_context": {
        const turn = codexTurn.safeParse(record);
        if (turn.success) codexModel = turn.data.payload.model;
        return null;
      }
      case "event_msg": {
        const codex = codexUsage.safeParse(record);
        return codex.success ? fromCodex(codex.data, codexThreadId ?? sessionId, codexModel) : null;
      }
      case undefined: {
        const opencode = opencodeUsage.safeParse(record);
        return opencode.success ? fromOpencode(opencode.data) : null;
      }
      default:
        return null;
    }
  };
}

/** Reports that no real assistant writes, such as one with a name of a thousand characters, are skipped. */
function canBeStored(report: MessageUsage): boolean {
  const texts = [report.messageId, report.requestId ?? "", report.model ?? ""];
  const isPlain = texts.every((text) => text.isWellFormed() && !text.includes("\0"));
  return isPlain && messageUsageSchema.safeParse(report).success;
}

function fromClaude({ requestId, timestamp, message }: z.infer<typeof claudeUsage>): MessageUsage {
  return {
    messageId: message.id,
    assistant: "claude-code",
    requestId,
    model: message.model,
    inputTokens: message.usage.input_tokens,
    outputTokens: message.usage.output_tokens,
    cacheCreationInputTokens: message.usage.cache_creation_input_tokens ?? 0,
    cacheReadInputTokens: message.usage.cache_read_input_tokens ?? 0,
    occurredAt: timestamp,
  };
}

function fromGemini({ id, timestamp, model, tokens }: z.infer<typeof geminiUsage>): MessageUsage {
  const cached = Math.min(tokens.cached, tokens.input);
  return {
    messageId: id,
    assistant: "gemini-cli",
    model,
    inputTokens: tokens.input - cached,
    outputTokens: tokens.output + tokens.thoughts,
    cacheReadInputTokens: cached,
    occurredAt: timestamp,
  };
}

/** Its answers cost nothing where a subscription pays for them, or while they stream. */
function fromOpencode({ info }: z.infer<typeof opencodeUsage>): MessageUsage | null {
  const { input, output, reasoning, cache } = info.tokens;
  if (input + output + reasoning + cache.read + cache.write === 0) return null;
  const created = new Date(info.time?.created ?? Number.NaN);
  return {
    messageId: info.id,
    assistant: "opencode",
    model: info.modelID,
    inputTokens: input,
    outputTokens: output + reasoning,
    cacheCreationInputTokens: cache.write,
    cacheReadInputTokens: cache.read,
    ...(info.cost !== undefined && info.cost > 0 && { costUsd: info.cost }),
    ...(!Number.isNaN(created.getTime()) && { occurredAt: created.toISOString() }),
  };
}

/** Codex does not identify its answers, so the running total of the thread distinguishes an answer from the next, and from a repeat. */
function fromCodex(
  { timestamp, payload }: z.infer<typeof codexUsage>,
  threadId: string,
  model: string | undefined,
): MessageUsage {
  const { total_token_usage: total, last_token_usage: last } = payload.info;
  const cached = Math.min(last.cached_input_tokens, last.input_tokens);
  return {
    messageId: `codex:${threadId}`.slice(0, 255),
    requestId: `total:${total.total_tokens}`,
    assistant: "codex",
    model,
    inputTokens: last.input_tokens - cached,
    outputTokens: last.output_tokens,
    cacheReadInputTokens: cached,
    occurredAt: timestamp,
  };
}
