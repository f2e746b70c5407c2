import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionUserMessageParam,
} from "openai/resources/chat/completions";
import type { AnswerBuilder } from "./model-answer.ts";
import { ModelError } from "./model-error.ts";
import { imagesOf, type ModelImage, type ModelMessage, type ModelRequest } from "./model-request.ts";
import { loadOpenAiClient, type OpenAiClient } from "./openai-client.ts";

export interface ModelSettings {
  readonly apiKey: string;
  /** Any endpoint that speaks OpenAI's protocol; null means OpenAI's own. */
  readonly baseUrl: string | null;
  readonly model: string;
  /** The maximum length of an answer, which is part of the worst-case cost of a call. */
  readonly maxOutputTokens: number;
  /** How long the endpoint may be silent, before or during its answer. */
  readonly silenceTimeoutMs: number;
}

/** The model's HTTP endpoint. */
export interface ModelEndpoint {
  /**
   * Makes one request, without retries, and adds the chunks of the answer to the builder. Throws {@link ModelError}, and the
   * signal's reason if it aborts; what has arrived by then remains in the builder.
   */
  stream(request: ModelRequest, answer: AnswerBuilder, signal: AbortSignal): Promise<void>;
}

/** Loads the client library on the first request, because most servers never need it. */
export function createModelEndpoint(settings: ModelSettings): ModelEndpoint {
  let loading: Promise<OpenAiClient> | undefined;

  return {
    async stream(request, answer, signal) {
      const { client, toModelError } = await (loading ??= loadOpenAiClient(settings, {
        maxBytes: MAX_LINE_BYTES,
        of: "line",
      }));
      const timeout = createSilenceTimeout(settings.silenceTimeoutMs, signal);
      try {
        signal.throwIfAborted();
        const chunks = await client.chat.completions.create(toBody(request, settings), { signal: timeout.signal });
        for await (const chunk of chunks) {
          timeout.restart();
          answer.add(chunk);
          if (answer.answer.receivedBytes > MAX_ANSWER_BYTES) throw tooLong();
        }
        // The library ends the stream without an error if it is aborted or the connection is closed early.
        timeout.signal.throwIfAborted();
        if (answer.answer.finishReason === null)
          throw new ModelError("The model's answer was cut off.", { isRetryable: true });
      } catch (error) {
        signal.throwIfAborted();
        if (timeout.signal.aborted)
          throw new ModelError("The model was silent for too long.", { isRetryable: true, cause: error });
        throw error instanceof ModelError ? error : toModelError(error);
      } finally {
        timeout.clear();
      }
    },
  };
}

/** Far more than any token limit allows: an endpoint that ignores the limit must not exhaust the memory. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Far more than any endpoint sends at once; the library looks for the end of a line in all of it again and again. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;

function tooLong(): ModelError {
  return new ModelError("The model's answer does not end.", { isRetryable: false });
}

function toBody(request: ModelRequest, settings: ModelSettings): ChatCompletionCreateParamsStreaming {
  return {
    model: settings.model,
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: settings.maxOutputTokens,
    messages: request.messages.map(toMessageParam),
    ...(request.expectsJson === true && { response_format: { type: "json_object" as const } }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({ type: "function" as const, function: tool })),
    }),
  };
}

function toUserContent(text: string, images: readonly ModelImage[]): ChatCompletionUserMessageParam["content"] {
  if (images.length === 0) return text;
  return [
    // Providers refuse a text without characters.
    ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
    ...images.map(({ mediaType, base64 }) => ({
      type: "image_url" as const,
      image_url: { url: `data:${mediaType};base64,${base64}` },
    })),
  ];
}

function toMessageParam(message: ModelMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return { role: "user", content: toUserContent(message.content, imagesOf(message)) };
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

/** A signal that follows another one, and also aborts if it is not restarted in time. */
function createSilenceTimeout(timeoutMs: number, outer: AbortSignal) {
  const controller = new AbortController();
  const follow = () => controller.abort(outer.reason);
  if (outer.aborted) follow();
  outer.addEventListener("abort", follow, { once: true });
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  return {
    signal: controller.signal,
    restart: () => void timer.refresh(),
    clear: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", follow);
    },
  };
}
