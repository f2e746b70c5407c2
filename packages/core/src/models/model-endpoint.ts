import type { OpenAI } from "openai";
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { AnswerBuilder } from "./model-answer.ts";
import { ModelError } from "./model-error.ts";
import type { ModelMessage, ModelRequest } from "./model-request.ts";

export interface ModelSettings {
  readonly apiKey: string;
  /** Any endpoint that speaks OpenAI's protocol; null is OpenAI's own. */
  readonly baseUrl: string | null;
  readonly model: string;
  /** The most tokens that one answer may have; part of what a call can cost at worst. */
  readonly maxOutputTokens: number;
  /** How long the endpoint may be silent, before its answer and within it. */
  readonly silenceTimeoutMs: number;
}

/** The model, asked over HTTP. */
export interface ModelEndpoint {
  /**
   * Makes one request and adds the chunks of its answer to the builder. Does not retry. Throws {@link ModelError}, and the
   * signal's reason when that aborts; what has arrived by then is in the builder.
   */
  stream(request: ModelRequest, answer: AnswerBuilder, signal: AbortSignal): Promise<void>;
}

/** The library is loaded with the first request, because most servers start without needing it. */
export function createModelEndpoint(settings: ModelSettings): ModelEndpoint {
  let loading: Promise<{ client: OpenAI; toModelError: (error: unknown) => ModelError }> | undefined;

  return {
    async stream(request, answer, signal) {
      const { client, toModelError } = await (loading ??= loadClient(settings));
      const watch = watchForSilence(settings.silenceTimeoutMs, signal);
      try {
        signal.throwIfAborted();
        const chunks = await client.chat.completions.create(toBody(request, settings), { signal: watch.signal });
        for await (const chunk of chunks) {
          watch.heard();
          answer.add(chunk);
          if (answer.answer.receivedBytes > MAX_ANSWER_BYTES) throw tooLong();
        }
        // The library ends the stream without an error when it is aborted or the connection is closed early.
        watch.signal.throwIfAborted();
        if (answer.answer.finishReason === null)
          throw new ModelError("The model's answer was cut off.", { isRetryable: true });
      } catch (error) {
        signal.throwIfAborted();
        if (watch.signal.aborted)
          throw new ModelError("The model was silent for too long.", { isRetryable: true, cause: error });
        throw error instanceof ModelError ? error : toModelError(error);
      } finally {
        watch.stop();
      }
    },
  };
}

/** Far above what any limit of tokens allows: an endpoint that ignores the limit must not fill the memory. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

function tooLong(): ModelError {
  return new ModelError("The model's answer does not come to an end.", { isRetryable: false });
}

const MAX_DETAIL_LENGTH = 300;

async function loadClient({ apiKey, baseUrl }: ModelSettings) {
  const { OpenAI, APIError, APIConnectionError } = await import("openai");
  // Retries are the caller's, who knows what they may cost and when to stop.
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0, logLevel: "off" });

  const toModelError = (error: unknown): ModelError => {
    if (error instanceof APIConnectionError) {
      return new ModelError("The model's endpoint cannot be reached.", { isRetryable: true, cause: error });
    }
    if (error instanceof APIError && typeof error.status === "number") {
      const status: number = error.status;
      const headers: unknown = error.headers;
      const detail = error.message
        .replace(/^\d{3} /, "")
        .replaceAll(apiKey, "…")
        .slice(0, MAX_DETAIL_LENGTH);
      return new ModelError(`The model's endpoint answered ${status}: ${detail}`, {
        isRetryable: isRetryableStatus(status) && error.code !== "insufficient_quota",
        retryAfterMs: headers instanceof Headers ? readRetryAfterMs(headers) : null,
        cause: error,
      });
    }
    return new ModelError("The model's endpoint broke off, or sent something that is no answer.", {
      isRetryable: true,
      cause: error,
    });
  };
  return { client, toModelError };
}

function toBody(request: ModelRequest, settings: ModelSettings): ChatCompletionCreateParamsStreaming {
  return {
    model: settings.model,
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: settings.maxOutputTokens,
    messages: request.messages.map(toMessageParam),
    ...(request.answersJson === true && { response_format: { type: "json_object" as const } }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({ type: "function" as const, function: tool })),
    }),
  };
}

function toMessageParam(message: ModelMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
    case "user":
      return message;
    case "assistant":
      return {
        role: "assistant",
        content: message.content,
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map(({ id, name, argumentsJson }) => ({
            id,
            type: "function" as const,
            function: { name, arguments: argumentsJson },
          })),
        }),
      };
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
  }
}

function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** `Retry-After` in seconds; its form as a date is rare enough to be left to our own delays. */
function readRetryAfterMs(headers: Headers): number | null {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

/** A signal that follows another one and also aborts after a time without a sign of life. */
function watchForSilence(timeoutMs: number, outer: AbortSignal) {
  const controller = new AbortController();
  const follow = () => controller.abort(outer.reason);
  if (outer.aborted) follow();
  outer.addEventListener("abort", follow, { once: true });
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  return {
    signal: controller.signal,
    heard: () => void timer.refresh(),
    stop: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", follow);
    },
  };
}
