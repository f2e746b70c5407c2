import { setTimeout as sleep } from "node:timers/promises";
import { traced } from "@workspace/db";
import type { Logger } from "../../platform/logger.ts";
import type { NanoUsd } from "../../platform/money.ts";
import { createRedactedStream, type Redactor } from "../../platform/redactor.ts";
import type { Reservation, SpendGuard, SpendingLimits } from "../usage/spend-guard.ts";
import { BudgetExceededError } from "../usage/spending-errors.ts";
import type { TokenPrice } from "../usage/token-price.ts";
import { createAnswerBuilder, type AnswerBuilder, type ModelAnswer } from "./model-answer.ts";
import { addBill, billOf, NO_BILL, noCharge, worstCostOf, type ModelCharge } from "./model-charge.ts";
import type { ModelEndpoint } from "./model-endpoint.ts";
import { ModelError } from "./model-error.ts";
import type { ModelMessage, ModelRequest } from "./model-request.ts";
import { MAX_ATTEMPTS, retryDelayMs } from "./retry-delay.ts";

/** The configured model and its price. */
export interface ConfiguredModel {
  readonly name: string;
  readonly endpoint: ModelEndpoint;
  readonly maxOutputTokens: number;
  /** Null if unknown. */
  readonly price: TokenPrice | null;
}

export interface CallOptions {
  readonly limits: SpendingLimits;
  readonly signal: AbortSignal;
  /** Called with every piece of text once, in order. */
  readonly onText: (delta: string) => void;
  /**
   * Called before an answer that was cut off is requested again, so that the text passed to `onText` can be discarded. Without
   * it, such an answer is final.
   */
  readonly onRestart?: () => void;
}

/** The outcome of a call. Whatever arrived before a failure or abort is included, and the charge must be settled. */
export type ModelCall = { readonly answer: ModelAnswer; readonly charge: ModelCharge } & (
  | { readonly outcome: "answered" | "aborted" }
  | { readonly outcome: "failed"; readonly error: ModelError | BudgetExceededError }
);

export interface ModelGatewayOptions {
  readonly model: ConfiguredModel;
  readonly guard: SpendGuard;
  readonly redactor: Redactor;
  readonly logger: Logger;
}

export type ModelGateway = ReturnType<typeof createModelGateway>;

const NO_ANSWER: ModelAnswer = { text: "", toolCalls: [], finishReason: null, usage: null, receivedBytes: 0 };

/** The only access to the model: checks budgets before each attempt, streams, retries, counts tokens and computes costs. */
export function createModelGateway({ model, guard, redactor, logger }: ModelGatewayOptions) {
  const worstCaseOf = (request: ModelRequest): NanoUsd | null =>
    worstCostOf(request, model.maxOutputTokens, model.price);

  return {
    modelName: model.name,

    /** Throws like `call` if today's budget does not cover the request, without making it. */
    requireBudgetFor(request: ModelRequest, limits: SpendingLimits): Promise<void> {
      return guard.requireBudgetFor(worstCaseOf(request), limits);
    },

    /**
     * Asks the model. Throws only what prevents the first attempt: a cap that it could exceed, an unknown price under a cap, a
     * database error. Any later failure is part of the result, together with its cost.
     */
    async call(givenRequest: ModelRequest, { limits, signal, onText, onRestart }: CallOptions): Promise<ModelCall> {
      const request = redactRequest(givenRequest, redactor);
      const worst = worstCaseOf(request);
      let charge = noCharge(model.name);
      let held: Reservation | null = null;
      for (let attempt = 1; ; attempt += 1) {
        if (signal.aborted) return { outcome: "aborted", answer: NO_ANSWER, charge: release(charge, held) };
        const reservation: Reservation | BudgetExceededError = held ?? (await reserveAttempt(worst, charge, limits));
        if (reservation instanceof BudgetExceededError) {
          return { outcome: "failed", error: reservation, answer: NO_ANSWER, charge };
        }

        const builder = createAnswerBuilder(onText, createRedactedStream(redactor));
        const failure = await traceCall(model, builder, () => attemptCall(model.endpoint, request, builder, signal));
        builder.end();
        const { answer } = builder;
        // Refused or not connected: nothing was generated or billed, so the next attempt reuses the reservation.
        const wasRefused = failure instanceof ModelError && answer.receivedBytes === 0 && answer.usage === null;
        if (!wasRefused) charge = addBill(charge, reservation, billOf(request, answer, model.price));
        held = wasRefused ? reservation : null;
        if (failure === null) return { outcome: "answered", answer, charge };
        if (failure === "aborted") return { outcome: "aborted", answer, charge };

        const canRestart = answer.text === "" || onRestart !== undefined;
        if (!failure.isRetryable || attempt >= MAX_ATTEMPTS || !canRestart) {
          return { outcome: "failed", error: failure, answer, charge: release(charge, held) };
        }
        logger.warn({ model: model.name, attempt, reason: failure.message }, "asking the model again");
        if (answer.text !== "") onRestart?.();
        const delayMs = retryDelayMs(attempt, failure.retryAfterMs, Math.random());
        await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };

  /** A cap reached between attempts fails the call instead of throwing, because earlier attempts must be settled. */
  async function reserveAttempt(
    worst: NanoUsd | null,
    charge: ModelCharge,
    limits: SpendingLimits,
  ): Promise<Reservation | BudgetExceededError> {
    const runLeft = limits.runLeft === null ? null : limits.runLeft - charge.upperBound;
    try {
      return await guard.reserve(worst, { ...limits, runLeft });
    } catch (error) {
      if (charge.reservations.length > 0 && error instanceof BudgetExceededError) return error;
      throw error;
    }
  }
}

/** A span for one attempt, by the conventions for calls to models: without what was asked and answered. */
function traceCall(
  { name, maxOutputTokens }: ConfiguredModel,
  builder: AnswerBuilder,
  attempt: () => ReturnType<typeof attemptCall>,
): ReturnType<typeof attemptCall> {
  return traced(
    () => ({
      name: `chat ${name}`,
      kind: "client",
      beginsTrace: true,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": name,
        "gen_ai.request.max_tokens": maxOutputTokens,
      },
    }),
    async (attributes) => {
      const failure = await attempt();
      if (attributes === null) return failure;
      const { usage, finishReason } = builder.answer;
      // The endpoint may send anything.
      if (finishReason !== null && /^[a-z_]{1,40}$/i.test(finishReason))
        attributes["gen_ai.response.finish_reasons"] = [finishReason];
      if (usage !== null) {
        attributes["gen_ai.usage.input_tokens"] = usage.inputTokens;
        attributes["gen_ai.usage.output_tokens"] = usage.outputTokens;
        attributes["gen_ai.usage.cache_read.input_tokens"] = usage.cachedInputTokens;
      }
      if (failure !== null) attributes["error.type"] = failure === "aborted" ? failure : failure.name;
      return failure;
    },
  );
}

/** Returns null for a complete answer. */
async function attemptCall(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  builder: AnswerBuilder,
  signal: AbortSignal,
): Promise<ModelError | "aborted" | null> {
  try {
    await endpoint.stream(request, builder, signal);
    return null;
  } catch (error) {
    if (signal.aborted) return "aborted";
    if (error instanceof ModelError) return error;
    throw error;
  }
}

function release(charge: ModelCharge, held: Reservation | null): ModelCharge {
  return held === null ? charge : addBill(charge, held, NO_BILL);
}

function redactRequest(request: ModelRequest, { redact }: Redactor): ModelRequest {
  const redactMessage = (message: ModelMessage): ModelMessage => {
    const content = redact(message.content);
    if (message.role !== "assistant") return { ...message, content };
    const toolCalls = message.toolCalls.map((call) => ({ ...call, argumentsJson: redact(call.argumentsJson) }));
    return { ...message, content, toolCalls };
  };
  return { ...request, messages: request.messages.map(redactMessage) };
}
