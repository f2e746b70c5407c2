import * as z from "zod";
import type { RedactedStream } from "../../platform/redactor.ts";
import type { TokenUsage } from "../usage/token-price.ts";
import type { ToolCall } from "./model-request.ts";

/** The relevant parts of a chunk. Endpoints differ in what else they send, and omit what is empty. */
const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().int().nonnegative().default(0),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z
    .object({
      prompt_tokens: z.number().int().nonnegative(),
      completion_tokens: z.number().int().nonnegative(),
      prompt_tokens_details: z.object({ cached_tokens: z.number().int().nonnegative().nullish() }).nullish(),
    })
    .nullish(),
});

/** The answer of a model so far, assembled from the chunks of its stream. */
export interface ModelAnswer {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Why the model stopped; null if it has not, which at the end of the stream means that the answer was cut off. */
  readonly finishReason: string | null;
  /** As counted by the endpoint; null if it did not report it. */
  readonly usage: TokenUsage | null;
  /** The bytes received, including tool calls. */
  readonly receivedBytes: number;
}

export interface AnswerBuilder {
  readonly answer: ModelAnswer;
  /** Adds one chunk. Throws if it is not a chunk of a chat completion. */
  add(chunk: unknown): void;
  /** Emits what was held back, since nothing more will follow. */
  end(): void;
}

interface ToolCallDraft {
  id: string;
  name: string;
  argumentsJson: string;
}

/**
 * Assembles an answer. `onText` receives every piece of text once, in order, as text that can be stored: NUL and unpaired
 * surrogates become U+FFFD. A surrogate pair that arrives in two halves is held back until complete, and so is text that could
 * become the value of a secret.
 */
export function createAnswerBuilder(onText: (delta: string) => void, redacted: RedactedStream): AnswerBuilder {
  const drafts = new Map<number, ToolCallDraft>();
  let text = "";
  let heldBack = "";
  let finishReason: string | null = null;
  let usage: TokenUsage | null = null;
  let receivedBytes = 0;

  const addText = (content: string): void => {
    const whole = heldBack + content;
    heldBack = /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : "";
    emit(whole.slice(0, whole.length - heldBack.length));
  };
  const emit = (piece: string): void => {
    append(redacted.add(toStorableText(piece)));
  };
  const append = (piece: string): void => {
    if (piece === "") return;
    text += piece;
    onText(piece);
  };
  const finish = (reason: string): void => {
    finishReason = reason;
    emit(heldBack);
    heldBack = "";
  };

  return {
    get answer() {
      return { text, toolCalls: toToolCalls([...drafts.values()]), finishReason, usage, receivedBytes };
    },
    add(chunk) {
      const { choices, usage: counted } = chunkSchema.parse(chunk);
      if (counted) {
        usage = {
          inputTokens: counted.prompt_tokens,
          cachedInputTokens: counted.prompt_tokens_details?.cached_tokens ?? 0,
          outputTokens: counted.completion_tokens,
        };
      }
      const [choice] = choices;
      if (choice === undefined) return;
      const { content, tool_calls: toolCalls } = choice.delta ?? {};
      if (content) {
        receivedBytes += Buffer.byteLength(content);
        addText(content);
      }
      for (const call of toolCalls ?? []) {
        const draft = drafts.get(call.index) ?? { id: "", name: "", argumentsJson: "" };
        drafts.set(call.index, draft);
        draft.id ||= call.id ?? "";
        draft.name += call.function?.name ?? "";
        draft.argumentsJson += call.function?.arguments ?? "";
        receivedBytes += Buffer.byteLength((call.function?.name ?? "") + (call.function?.arguments ?? ""));
      }
      if (choice.finish_reason) finish(choice.finish_reason);
    },
    end: () => append(redacted.end()),
  };
}

/** Replaces what PostgreSQL cannot store. */
export function toStorableText(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** Some endpoints give calls no id, or all of them the same. Results are matched by id, so each call gets its own. */
function toToolCalls(drafts: readonly ToolCallDraft[]): ToolCall[] {
  const seen = new Set<string>();
  return drafts.map((draft, index) => {
    const id =
      draft.id === "" || seen.has(draft.id) ? `call_${index}${draft.id === "" ? "" : `_${draft.id}`}` : draft.id;
    seen.add(id);
    return {
      id: toStorableText(id),
      name: toStorableText(draft.name),
      argumentsJson: toStorableText(draft.argumentsJson),
    };
  });
}
